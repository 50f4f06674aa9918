import { homePage } from '#contract/pages.ts'
import { listProjects } from '#contract/projects.ts'
import { startBuiltSite } from '#tests/built-site.ts'
import { type Crowd, fill } from './fill.ts'
import { chooseGenerator, cpuMicroseconds } from './load.ts'
import { median, settledMegabytes, withSite } from './site.ts'

const crowds: Crowd[] = [
  { models: 12, messages: 12 },
  { models: 1_000, messages: 1_000 },
  { models: 10_000, messages: 100_000 },
]
const starts = 5
const account = { ADMIN_USERNAME: 'bench', ADMIN_PASSWORD: 'only for this' }
const br = { 'accept-encoding': 'br' }
const addresses = { page: homePage.path, list: `${listProjects.path}?limit=24` }

/** What a visitor gets of few and of many models: nothing of it should grow with them. */
export async function benchSizes() {
  const measured: Record<string, unknown> = {}
  for (const crowd of crowds) measured[`${crowd.models} models, ${crowd.messages} messages`] = await measure(crowd)
  return measured
}

function measure(crowd: Crowd) {
  return withSite(async (empty, dataDir) => {
    await empty.stop()
    await fill(dataDir, crowd)
    const ready: number[] = []
    for (let round = 0; round < starts; round += 1) {
      const began = performance.now()
      const site = await startBuiltSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
      ready.push(performance.now() - began)
      await site.stop()
    }
    const site = await startBuiltSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
    try {
      const answers: Record<string, unknown> = {}
      for (const [name, address] of Object.entries(addresses)) {
        const url = new URL(address, site.url).href
        const began = performance.now()
        const answer = await fetch(url, { headers: br })
        const bytes = Number(answer.headers.get('content-length'))
        await answer.arrayBuffer()
        const milliseconds = Math.round(performance.now() - began)
        answers[name] = { bytes, milliseconds, cpuMicrosecondsAgain: await costAgain(url, site.pid) }
      }
      const idleMegabytes = Math.round(await settledMegabytes(site.pid))
      return { readyMilliseconds: Math.round(median(ready)), idleMegabytes, ...answers }
    } finally {
      await site.stop()
    }
  }, account)
}

async function costAgain(url: string, pid: number) {
  const { send } = await chooseGenerator()
  await send({ url, headers: br, connections: 8, seconds: 1 })
  const before = cpuMicroseconds(pid)
  const { requests } = await send({ url, headers: br, connections: 8, seconds: 2 })
  return Math.round((cpuMicroseconds(pid) - before) / requests)
}
