import { demoAdmin } from '#demo/admin.ts'
import type { Db } from '#server/database/tables.ts'
import { findAdminByName } from './accounts.queries.ts'
import { verifyPassword } from './passwords.ts'

/**
 * Tells whether the account a first start made still has its well-known password. Another account is never the demo's, whatever
 * its name and password. The password is compared again only when its hash has changed.
 */
export function demoAdminCheck(db: Db) {
  let known: { passwordHash: string; active: boolean } | undefined
  return async () => {
    const account = await findAdminByName(db, demoAdmin.username)
    if (!account?.demo) return false
    if (known?.passwordHash !== account.passwordHash) {
      const active = await verifyPassword(demoAdmin.password, account.passwordHash)
      known = { passwordHash: account.passwordHash, active }
    }
    return known.active
  }
}
