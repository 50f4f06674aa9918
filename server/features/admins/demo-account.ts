import { demoAccount } from '#demo/account.ts'
import type { Db } from '#server/database/tables.ts'
import { findAdminByName } from './admins.queries.ts'
import { verifyPassword } from './passwords.ts'

/** Tells whether the demo account still has the password everybody knows. Asked again only when its hash has changed. */
export function demoAccountCheck(db: Db) {
  let known: { passwordHash: string; active: boolean } | undefined
  return async () => {
    const account = await findAdminByName(db, demoAccount.username)
    if (!account) return false
    if (known?.passwordHash !== account.passwordHash) {
      const active = await verifyPassword(demoAccount.password, account.passwordHash)
      known = { passwordHash: account.passwordHash, active }
    }
    return known.active
  }
}
