import { startDemo } from './sites.ts'

/** The demo site for all tests that only look. */
export default async function setUp() {
  // Inherited by the workers, which are other processes.
  process.env.SAME_PRIORITY = 'yes'
  const { url, stop } = await startDemo()
  process.env.DEMO_SITE_URL = url
  return stop
}
