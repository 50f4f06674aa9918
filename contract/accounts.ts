import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { done, moment, recordId, unstorable } from './text.ts'

const usernameLimits = { least: 3, most: 50 } as const
const passwordMost = 200

// With these, two names that look the same could be two accounts.
const unseen =
  /[\p{Control}\p{Format}\p{Surrogate}\p{Line_Separator}\p{Paragraph_Separator}\p{Default_Ignorable_Code_Point}\u2800]/gu
const without = (pattern: RegExp) =>
  z.refine<string>((name) => name.search(pattern) < 0, {
    error: 'Username must not contain invisible characters',
    params: { fault: 'unseen_characters' },
  })

/** The visible characters of a name. */
export const seenOf = (username: string) => username.replace(unseen, '')

/** Judged when an account is made or renamed, and not when it signs in: older releases allowed other names. */
export const newUsername = z
  .string('Username is required')
  .check(
    z.trim(),
    z.minLength(usernameLimits.least, 'Username must be at least 3 characters'),
    z.maxLength(usernameLimits.most, 'Username must be at most 50 characters'),
    without(unseen),
  )

const credentials = z.strictObject({
  username: z
    .string('Username is required')
    .check(z.trim(), z.minLength(1, 'Username is required'), z.maxLength(200, 'Username is too long'), without(unstorable)),
  password: z
    .string('Password is required')
    .check(z.minLength(1, 'Password is required'), z.maxLength(passwordMost, 'Password is too long')),
})

/** Owners may do everything; helpers look after models, photos, messages and drafts of texts. */
export const roles = ['owner', 'helper'] as const
export type Role = (typeof roles)[number]

export const newAdmin = z.strictObject({
  username: newUsername,
  password: z
    .string('Password is required')
    .check(
      z.minLength(6, 'Password must be at least 6 characters'),
      z.maxLength(passwordMost, `Password must be at most ${passwordMost} characters`),
    ),
  role: z.optional(z.enum(roles)),
})

export const passwordChange = z.strictObject({
  currentPassword: z
    .string('Current password is required')
    .check(z.minLength(1, 'Current password is required'), z.maxLength(passwordMost, 'Current password is too long')),
  newPassword: z
    .string('New password must be at least 6 characters')
    .check(
      z.minLength(6, 'New password must be at least 6 characters'),
      z.maxLength(passwordMost, `New password must be at most ${passwordMost} characters`),
    ),
})

/** The password is write-only: neither it nor its hash is ever part of an answer. */
const adminUser = z.strictObject({
  id: z.uuid(),
  username: z.string(),
  lastLogin: z.nullable(moment),
  createdAt: moment,
  role: z.enum(roles),
  /** Null also where it is not for the one who asks. */
  email: z.nullable(z.string()),
  /** Of the own account: one whose link has not been used yet. */
  unconfirmedEmail: z.nullable(z.string()),
})
export type AdminUser = z.infer<typeof adminUser>

export const sessionCheck = z.strictObject({
  authenticated: z.boolean(),
  adminId: z.optional(z.uuid()),
  role: z.optional(z.enum(roles)),
})

/** Links in mails lead to the sign-in page, with a token under one of these names. */
export const linkKeys = { address: 'address', password: 'reset' } as const

export const checkSession = endpoint({
  method: 'GET',
  path: '/api/admin/check',
  access: 'public',
  summary: 'Whether this browser is signed in, and as whom.',
  reply: sessionCheck,
})

export const signIn = endpoint({
  method: 'POST',
  path: '/api/admin/login',
  access: 'public',
  summary: 'Signs in and starts a session.',
  body: credentials,
  reply: sessionCheck,
})

export const signOut = endpoint({
  method: 'POST',
  path: '/api/admin/logout',
  access: 'public',
  summary: 'Ends the session of this browser, if there is one.',
  reply: done,
})

export const listAdmins = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  access: 'admin',
  summary: 'The accounts, oldest first; for helpers their own.',
  reply: z.array(adminUser),
})

export const createAdmin = endpoint({
  method: 'POST',
  path: '/api/admin/users',
  access: 'confirmed',
  summary: 'Adds an account: an owner, unless told otherwise.',
  body: newAdmin,
  reply: adminUser,
})

export const deleteAdmin = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/:id',
  access: 'confirmed',
  summary: 'Deletes an account and ends its sessions.',
  params: recordId,
  reply: done,
})

export const changeRole = endpoint({
  method: 'PUT',
  path: '/api/admin/users/:id/role',
  access: 'confirmed',
  summary: 'Makes an account an owner or a helper, at once: its sessions stay. The last owner stays one.',
  params: recordId,
  body: z.strictObject({ role: z.enum(roles) }),
  reply: adminUser,
})

export const changePassword = endpoint({
  method: 'PUT',
  path: '/api/admin/change-password',
  access: 'admin',
  summary: 'Changes the own password and ends the other sessions.',
  body: passwordChange,
  reply: done,
})

const openSession = z.strictObject({
  id: z.string(),
  /** As people call them: "Firefox", "Android". Unknown for sessions of older releases. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  startedAt: moment,
  /** To the hour. */
  usedAt: moment,
  /** The one that asks. */
  current: z.boolean(),
})
export type OpenSession = z.infer<typeof openSession>

const sessionsPath = '/api/admin/sessions'

export const listSessions = endpoint({
  method: 'GET',
  path: sessionsPath,
  access: 'admin',
  summary: 'Where the own account is signed in, the last used first.',
  reply: z.array(openSession),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: `${sessionsPath}/:id`,
  access: 'admin',
  summary: 'Ends one of the own sessions.',
  params: z.strictObject({ id: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  reply: done,
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: sessionsPath,
  access: 'admin',
  summary: 'Ends all own sessions but this one.',
  reply: done,
})

const confirmationPath = '/api/admin/confirmation'

export const readConfirmation = endpoint({
  method: 'GET',
  path: confirmationPath,
  access: 'admin',
  summary: 'Whether the next dangerous call needs the password.',
  reply: z.strictObject({ needed: z.boolean() }),
})

export const confirmPassword = endpoint({
  method: 'POST',
  path: confirmationPath,
  access: 'admin',
  summary: 'Gives the own password again, for the next quarter of an hour.',
  body: z.strictObject({
    password: z
      .string('Password is required')
      .check(z.minLength(1, 'Password is required'), z.maxLength(passwordMost, 'Password is too long')),
  }),
  reply: done,
})
