import { z } from 'zod/mini'

/** Would be taken for another call, or for an id. */
const reserved = /^(counts|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

export function isReserved(slug: string) {
  return reserved.test(slug)
}

/** The last part of a readable address. */
export const slug = z.string().check(
  z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'This is not an address.'),
  z.maxLength(120),
  z.refine((text) => !isReserved(text), 'This address means something else.'),
)

/** As many of one project as a backup holds. */
export const mostAddresses = 200
