import { z } from 'zod/mini'
import { sessionCheck } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { done, moment, requiredText } from './text.ts'

/** Per account. */
export const mostPasskeys = 20

/** EdDSA, ES256 and RS256 in the numbers of COSE, the preferred first. Every device has one of them. */
export const passkeyAlgorithms = [-8, -7, -257]

const base64url = (most: number) => z.string().check(z.regex(/^[\w-]+$/), z.maxLength(most))

/** 1,023 bytes at most, says WebAuthn. */
const credentialId = base64url(1_364)
const transports = z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(8))

/** What the browser answers to a challenge, without what this site does not use. */
const passkeyAnswer = z.strictObject({
  id: credentialId,
  clientDataJSON: base64url(4_000),
  authenticatorData: base64url(4_000),
  signature: base64url(2_000),
  userHandle: z.optional(base64url(100)),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

const newPasskey = z.strictObject({
  name: requiredText('Name is required', 60),
  id: credentialId,
  clientDataJSON: base64url(4_000),
  attestationObject: base64url(12_000),
  transports,
})
export type NewPasskey = z.infer<typeof newPasskey>

const passkey = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** How a browser reaches the device. */
  transports: z.array(z.string()),
  createdAt: moment,
  usedAt: z.nullable(moment),
})
export type Passkey = z.infer<typeof passkey>

const path = '/api/admin/passkeys'

export const listPasskeys = endpoint({
  method: 'GET',
  path,
  access: 'admin',
  summary: 'The own passkeys, oldest first.',
  reply: z.array(passkey),
})

export const startPasskey = endpoint({
  method: 'POST',
  path: `${path}/challenge`,
  access: 'own',
  summary: 'What the browser needs to make a passkey, for five minutes.',
  reply: z.strictObject({
    challenge: z.string(),
    rp: z.strictObject({ id: z.string(), name: z.string() }),
    user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
    /** Devices that have one are not asked for another. */
    excludeCredentials: z.array(
      z.strictObject({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) }),
    ),
  }),
})

export const addPasskey = endpoint({
  method: 'POST',
  path,
  access: 'own',
  summary: 'Adds a passkey that the browser has made.',
  body: newPasskey,
  reply: passkey,
})

export const removePasskey = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  access: 'own',
  summary: 'Removes one of the own passkeys. The password stays.',
  params: z.strictObject({ id: credentialId }),
  reply: done,
})

export const askForPasskey = endpoint({
  method: 'POST',
  path: '/api/admin/passkey-challenge',
  access: 'public',
  summary: 'A challenge to be answered by a passkey, for five minutes.',
  reply: z.strictObject({ challenge: z.string(), rpId: z.string() }),
})

export const signInByPasskey = endpoint({
  method: 'POST',
  path: '/api/admin/login/passkey',
  access: 'public',
  summary: 'Signs in by a passkey and starts a session.',
  body: passkeyAnswer,
  reply: sessionCheck,
})

export const confirmByPasskey = endpoint({
  method: 'POST',
  path: '/api/admin/confirmation/passkey',
  access: 'admin',
  summary: 'Gives an own passkey instead of the password, for the next quarter of an hour.',
  body: passkeyAnswer,
  reply: done,
})
