import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { demoAdmin } from '#demo/admin.ts'
import type { Clock } from '../clock.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Database } from '../database/open.ts'
import { countAdmins, findAdminByName, insertAdmin, removeAdmin, setRole } from '../features/accounts/accounts.queries.ts'
import { demoAdminCheck, hashPassword } from '../features/accounts/passwords.ts'
import type { Variants } from '../features/images/variants.ts'
import { readPublished } from '../features/site-content/site-content.queries.ts'
import { isLoopbackHost } from '../http/own-address.ts'
import type { Storage } from '../storage/storage.ts'
import { isEmptySite } from './lost-database.ts'

type Parts = {
  config: Config
  database: Database
  storage: Storage
  clock: Clock
  variants: Variants
  log: FastifyBaseLogger
}

/**
 * Makes the first account. A site without an owner becomes a demo that only this machine can reach; ADMIN_USERNAME and
 * ADMIN_PASSWORD give it an owner.
 */
export async function prepareAccounts(parts: Parts): Promise<void> {
  const { config, database, log } = parts
  const { db } = database
  const isNew = (await countAdmins(db)) === 0
  if (config.firstAdmin) {
    if (isNew || (await demoAdminCheck(db)())) await handOver(parts, config.firstAdmin)
    return
  }
  const faults = publicSettings(config)
  if (faults.length > 0 && (isNew || (await demoAdminCheck(db)()))) throw new ConfigError(faults)
  if (isNew) {
    log.info('first start: adding the demo content')
    // Loaded only on the first start.
    const { addDemoContent } = await import('./demo-content.ts')
    await addDemoContent(parts)
  }
}

/** A reverse proxy on this machine makes a site public that listens on the loopback address only. */
function publicSettings({ loopbackOnly, trustProxy, publicUrl }: Config) {
  const cure = 'Set ADMIN_USERNAME and ADMIN_PASSWORD first.'
  const faults: [setting: string, cure: string][] = []
  if (!loopbackOnly) faults.push(['HOST', `is public while the demo account is active. ${cure}`])
  if (trustProxy) faults.push(['TRUST_PROXY', `lets a proxy in while the demo account is active. ${cure}`])
  if (publicUrl && !isLoopbackHost(publicUrl.replace(/^https?:\/\//, ''))) {
    faults.push(['PUBLIC_URL', `is not on this machine while the demo account is active. ${cure}`])
  }
  return faults
}

/** Makes the owner's account and removes the demo account, in one transaction. A new site is closed until its maker opens it. */
async function handOver({ database, clock }: Parts, { username, password }: { username: string; password: string }) {
  const passwordHash = await hashPassword(password)
  await database.exclusively('first start', async (tx) => {
    // Another process may have made the owner's account meanwhile, possibly with the name of the demo account.
    const demo = (await demoAdminCheck(tx)()) ? await findAdminByName(tx, demoAdmin.username) : undefined
    if (!demo && (await countAdmins(tx)) > 0) return
    // A demo has had no visitors. A restored site has.
    const isNew = demo ? (await readPublished(tx)).number === 0 : await isEmptySite(tx)
    if (demo) await removeAdmin(tx, demo.id)
    if (isNew) await tx.updateTable('site').set({ opened: false }).execute()
    const createdAt = clock.now().toISOString()
    const isAdded = await insertAdmin(tx, { id: randomUUID(), username, passwordHash, lastLogin: null, createdAt })
    // The name of a helper of the demo: otherwise no owner would be left.
    const helper = isAdded ? undefined : await findAdminByName(tx, username)
    if (helper) await setRole(tx, helper.id, 'owner')
  })
}
