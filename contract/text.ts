import { z } from 'zod/mini'

// Worded only when it is needed: writing a number wakes a part of the browser that takes a phone a tenth of a second.
const atMost = (most: number) =>
  z.maxLength(most, { error: () => `Please use at most ${most.toLocaleString('en')} characters.` })

// No database of ours keeps these as they are: NUL, and halves of a character.
const unstorable = /[\0\p{Surrogate}]/gu
// Nor does anybody type these: all that steers a terminal, but for tabs and the ends of lines. In JSON each takes six bytes.
const untyped = /(?![\t\n\r])[\p{Control}\p{Surrogate}]/gu
const without = (unwanted: RegExp) => z.overwrite<string>((text) => text.replace(unwanted, ''))

/** Text that must be there; blanks alone do not count. */
export function requiredText(message: string, most = 10_000) {
  return textWithout(untyped, message, most)
}

/** The same of a record that was taken in long ago, under looser rules: it must not be refused for being empty now. */
export function requiredStoredText(message: string, most: number) {
  return textWithout(unstorable, message, most)
}

function textWithout(unwanted: RegExp, message: string, most: number) {
  return z.string(message).check(without(unwanted), z.trim(), z.minLength(1, message), atMost(most))
}

/** Text that may be left out; blanks alone count as left out. */
export function optionalText(most = 10_000) {
  const text = z.string('This must be text.').check(without(untyped), z.trim(), atMost(most))
  return z.pipe(
    z.nullish(text),
    z.transform((given) => given || null),
  )
}

/** What is looked for; nothing is, when it is blank. */
export function searchText(message: string, most: number) {
  return z.optional(z.string().check(without(untyped), z.trim(), z.maxLength(most, message)))
}

export const recordId = z.strictObject({ id: z.uuid() })

/** A moment, as ISO 8601 in UTC: `2026-11-15T08:00:00.000Z`. */
export const moment = z.iso.datetime()

export const done = z.strictObject({ message: z.string() })
