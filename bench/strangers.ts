import { checkSession } from '#contract/accounts.ts'
import { categories } from '#contract/first-visit.ts'
import { listProjects, type Project } from '#contract/projects.ts'
import { fill } from './fill.ts'
import { type LoadRequest, load } from './load.ts'
import { br, call, median, owner, rounded, timeOf, withSite } from './site.ts'

const seconds = 20

/** How much longer a small call takes while strangers ask for pages that are not cached and send forms that are refused. */
export function benchStrangers() {
  return withSite(
    async ({ url }) => {
      await fetch(url)
      const projects = JSON.parse(await call(url, listProjects)) as Project[]
      const quiet = median(await smallCalls(url))
      const slowed = async (addresses: number) => {
        const requests = Array.from({ length: 600 }, (_, number) => requestOf(number, projects, addresses))
        const loading = load({ url, requests, mayBeRefused: true, connections: 6, seconds })
        const busy = median(await smallCalls(url))
        const { requests: sent, tooMany } = await loading
        return { ratio: rounded(busy / quiet), requests: sent, rendered: sent - tooMany }
      }
      return {
        quietMilliseconds: rounded(quiet),
        'six connections of one address': await slowed(1),
        'six addresses': await slowed(6),
      }
    },
    {
      settings: { ...owner, RATE_LIMITS: 'on', TRUST_PROXY: '1' },
      prepare: (dataDir) => fill(dataDir, { models: 200, messages: 0 }),
    },
  )
}

async function smallCalls(url: string) {
  const times: number[] = []
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; )
    times.push(await timeOf(() => call(url, checkSession)))
  return times
}

/** Each page another one; every tenth request is a form. */
function requestOf(number: number, projects: Project[], addresses: number): LoadRequest {
  const headers = { ...br, 'x-forwarded-for': `203.0.113.${addresses * 10 + (number % addresses)}` }
  if (number % 10 === 9) {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return { method: 'POST', path: '/', headers: { ...headers, ...type }, body: 'name=x' }
  }
  const [project, about] = [projects[number % projects.length]?.slug, projects[number % 7]?.slug]
  const part = `category=${categories[number % categories.length]}&shown=${24 * (1 + (number % 10))}`
  return { method: 'GET', path: `/?project=${project}&about=${about}&${part}`, headers }
}
