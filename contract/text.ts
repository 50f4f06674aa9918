import { z } from 'zod'

/** Text that must be there; blanks alone do not count. */
export function requiredText(message: string, most = 10_000) {
  return z
    .string(message)
    .trim()
    .min(1, message)
    .max(most, `Please use at most ${most.toLocaleString('en')} characters.`)
}

/** Text that may be left out; blanks alone count as left out. */
export function optionalText(most = 10_000) {
  return z
    .string('This must be text.')
    .trim()
    .max(most, `Please use at most ${most.toLocaleString('en')} characters.`)
    .nullish()
    .transform((text) => text || null)
}

export const recordId = z.strictObject({ id: z.uuid() })

/** A moment, as ISO 8601 in UTC: `2026-11-15T08:00:00.000Z`. */
export const moment = z.iso.datetime()

export const done = z.strictObject({ message: z.string() })
