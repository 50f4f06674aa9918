import { onTestFinished } from 'vitest'
import { type BuiltSite, type Expected, startBuiltSite } from '../built-site.ts'

export const owner = { ADMIN_USERNAME: 'Álvaro', ADMIN_PASSWORD: 'brass and pear' }
export const ownerAccount = { username: owner.ADMIN_USERNAME, password: owner.ADMIN_PASSWORD }

/** The built site as a process of its own, gone when the test is over. With an owner it starts without demo content. */
export async function startSite(settings: Record<string, string>, expected?: Expected): Promise<BuiltSite> {
  const site = await startBuiltSite({ ...owner, ...settings }, expected)
  onTestFinished(async () => {
    await site.kill()
  })
  return site
}
