import { compareWithBare } from './against-bare.ts'
import { withSite } from './site.ts'

/** What visitors ask for most, as a part of what node:http alone can send. */
export function benchThroughput() {
  return withSite(async (site) => ({
    projects: await compareWithBare(new URL('/api/projects', site.url).href, { 'accept-encoding': 'br' }),
    page: await compareWithBare(site.url, { 'accept-encoding': 'br' }),
  }))
}
