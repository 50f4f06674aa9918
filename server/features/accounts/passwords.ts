import { hash, verify } from '@node-rs/argon2'

// OWASP's first choice for argon2id. Written down, because the library's defaults may change.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string) {
  return hash(password, cost)
}

/** Verified against when no account matches, so that the answer takes as long. */
let decoy: Promise<string> | undefined

export async function verifyPassword(password: string, passwordHash: string | undefined) {
  decoy ??= hashPassword('a password that no account has')
  const matches = await verify(passwordHash ?? (await decoy), password)
  return matches && passwordHash !== undefined
}
