import { demoAdmin } from '#demo/admin.ts'
import type { Db } from '#server/database/tables.ts'
import { findAdminByName } from './accounts.queries.ts'

// OWASP's first choice for argon2id. Explicit, because the library's defaults may change.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Not needed for listening. */
const loadArgon2 = () => import('@node-rs/argon2')

export async function hashPassword(password: string) {
  const { hash } = await loadArgon2()
  return hash(password, cost)
}

/** Verified against when no account matches, so that the answer takes as long. */
let decoy: Promise<string> | undefined

export async function verifyPassword(password: string, passwordHash: string | undefined) {
  const { verify } = await loadArgon2()
  decoy ??= hashPassword('a password that no account has')
  const matches = await verify(passwordHash ?? (await decoy), password)
  return matches && passwordHash !== undefined
}

/**
 * Whether the account that the first start made still has the public password. Another account of that name and password is
 * not the demo's. The password is verified again only when its hash has changed.
 */
export function demoAdminCheck(db: Db) {
  let last: { passwordHash: string; active: boolean } | undefined
  return async () => {
    const account = await findAdminByName(db, demoAdmin.username)
    if (!account?.demo) return false
    if (last?.passwordHash !== account.passwordHash) {
      const { verify } = await loadArgon2()
      const active = await verify(account.passwordHash, demoAdmin.password)
      last = { passwordHash: account.passwordHash, active }
    }
    return last.active
  }
}
