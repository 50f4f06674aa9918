import { z } from 'zod/mini'

// Built when it is needed: the first `toLocaleString` takes a phone a tenth of a second.
const atMost = (most: number) =>
  z.maxLength(most, { error: () => `Please use at most ${most.toLocaleString('en')} characters.` })

// NUL and lone surrogates: neither database stores them as they are.
export const unstorable = /[\0\p{Surrogate}]/gu
// Control characters but for tabs and line ends: never typed, and six bytes each in JSON.
const untyped = /(?![\t\n\r])[\p{Control}\p{Surrogate}]/gu
const without = (removed: RegExp) => z.overwrite<string>((text) => text.replace(removed, ''))

/** Text that must be there; blanks alone do not count. */
export function requiredText(message: string, most = 10_000) {
  return textWithout(untyped, message, most)
}

/** The same for records of older releases, which allowed control characters: stripping those could leave them empty. */
export function requiredStoredText(message: string, most: number) {
  return textWithout(unstorable, message, most)
}

function textWithout(removed: RegExp, message: string, most: number) {
  return z.string(message).check(without(removed), z.trim(), z.minLength(1, message), atMost(most))
}

/** Text that may be empty for now: what is required is said later, in these words. */
export function filledText(missing: string, most: number) {
  return z.string(missing).check(without(untyped), z.trim(), atMost(most))
}

/** Text that may be left out; blanks alone count as left out. */
export function optionalText(most = 10_000) {
  return z.pipe(
    z.nullish(freeText(most)),
    z.transform((text) => text || null),
  )
}

/** The same where it must be said that it is left out. */
export function nullableText(most: number) {
  return z.pipe(
    z.nullable(freeText(most)),
    z.transform((text) => text || null),
  )
}

function freeText(most: number) {
  return z.string('This must be text.').check(without(untyped), z.trim(), atMost(most))
}

/** Search words; a blank text means no search. */
export function searchText(message: string, most: number) {
  return z.optional(z.string().check(without(untyped), z.trim(), z.maxLength(most, message)))
}

export const recordId = z.strictObject({ id: z.uuid() })

/** A moment, as ISO 8601 in UTC: `2026-11-15T08:00:00.000Z`. */
export const moment = z.iso.datetime()

// PostgreSQL counts from the year 1.
const noYearZero = { error: 'There is no year 0000.', params: { fault: 'not_a_moment' } }
/** One that every database can store and compare. */
export const storableMoment = moment.check(z.refine((text) => !text.startsWith('0000'), noYearZero))

export const done = z.strictObject({ message: z.string() })
