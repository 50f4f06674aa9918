import { z } from 'zod/mini'
import { passwordChange } from './accounts.ts'
import { contactLimits } from './contact-fields.ts'
import { endpoint } from './endpoint.ts'
import { done, requiredText } from './text.ts'

/** What links in mails need: a mail server, and the address of the site. */
const linkNeeds = ['mail', 'publicUrl'] as const
export type LinkNeed = (typeof linkNeeds)[number]

const newAddress = z.strictObject({
  email: requiredText('Please enter your email address.', contactLimits.email).check(
    z.toLowerCase(),
    z.email('That email address does not look right.'),
  ),
})

// Of any form: a link that was cut gets the same answer as one that has expired.
const token = z.string().check(z.maxLength(500))

const addressPath = '/api/admin/address'

export const readLinkNeeds = endpoint({
  method: 'GET',
  path: addressPath,
  access: 'admin',
  summary: 'What is missing before an address can be confirmed.',
  reply: z.strictObject({ missing: z.array(z.enum(linkNeeds)) }),
})

export const setAddress = endpoint({
  method: 'PUT',
  path: addressPath,
  access: 'own',
  summary: 'Sends a link that makes this the address of the own account.',
  body: newAddress,
  reply: done,
})

export const removeAddress = endpoint({
  method: 'DELETE',
  path: addressPath,
  access: 'own',
  summary: 'Removes the address of the own account, and ends the links that were sent.',
  reply: done,
})

export const confirmAddress = endpoint({
  method: 'POST',
  path: `${addressPath}/confirmation`,
  access: 'public',
  summary: 'Confirms an address by the token that was sent there.',
  body: z.strictObject({ token }),
  reply: z.strictObject({ email: z.string() }),
})

export const requestPasswordLink = endpoint({
  method: 'POST',
  path: '/api/admin/forgotten',
  access: 'public',
  summary: 'Mails a link for a new password, if there is such an account with a confirmed address.',
  body: z.strictObject({ account: requiredText('Please enter your username or email address.', contactLimits.email) }),
  reply: done,
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/admin/reset',
  access: 'public',
  summary: 'Sets a new password by the token that was mailed, and ends all sessions of the account.',
  body: z.strictObject({ token, newPassword: passwordChange.shape.newPassword }),
  reply: done,
})
