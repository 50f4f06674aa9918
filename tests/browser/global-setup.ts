import { openRunFolder } from '../run-folder.ts'
import { startOlderSite } from './older-site.ts'
import { startDemo } from './sites.ts'

/** The temporary folder of the run, the demo site for all tests that only look, and a site with photos of older days. */
export default async function setUp() {
  const { remove } = await openRunFolder()
  const [demo, olderSite] = await Promise.all([startDemo(), startOlderSite()])
  // Inherited by the workers, which are other processes.
  process.env.DEMO_SITE_URL = demo.url
  process.env.OLDER_SITE_PORT = String(olderSite.port)
  return async () => {
    olderSite.stop()
    await demo.stop()
    await remove()
  }
}
