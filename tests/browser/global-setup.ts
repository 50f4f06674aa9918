import { openRunFolder } from '../run-folder.ts'
import { startDemo } from './sites.ts'

/** The temporary folder of the run, and the demo site for all tests that only look. */
export default async function setUp() {
  const { remove } = await openRunFolder()
  const { url, stop } = await startDemo()
  // Inherited by the workers, which are other processes.
  process.env.DEMO_SITE_URL = url
  return async () => {
    await stop()
    await remove()
  }
}
