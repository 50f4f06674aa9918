import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startBuiltSite } from '../built-site.ts'

/** The demo site, as a first start makes it, for all tests that only look. */
export default async function setUp() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vitrina-browser-'))
  const site = await startBuiltSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
  // Inherited by the workers, which are other processes.
  process.env.DEMO_SITE_URL = site.url
  return async () => {
    await site.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
