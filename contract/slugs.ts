import { z } from 'zod/mini'

/** The last part of a readable address. */
export const slug = z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'This is not an address.'), z.maxLength(120))

/** As many of one project as a backup holds. */
export const mostAddresses = 200
