import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { findChromium } from '../scripts/test-tools.ts'
import { allCopiesMade, withSite } from './site.ts'

type Report = {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { score: number | null; displayValue?: string; title: string; scoreDisplayMode: string }>
}

/** Fetched for the occasion: it is larger than everything else we depend on, and nothing but this needs it. */
const lighthouse = 'lighthouse@12.8.2'

/** Google's judgement of the page on a simulated slow phone. */
export function benchLighthouse() {
  return withSite(async (site) => {
    await allCopiesMade(site.url)
    const folder = await mkdtemp(path.join(tmpdir(), 'vitrina-lighthouse-'))
    const file = path.join(folder, 'report.json')
    try {
      const chromeFlags = '--headless --no-sandbox --disable-background-networking --disable-component-update --disable-sync'
      await promisify(execFile)(
        'npx',
        ['--yes', lighthouse, site.url, '--output=json', `--output-path=${file}`, `--chrome-flags=${chromeFlags}`, '--quiet'],
        { env: { ...process.env, CHROME_PATH: findChromium() }, timeout: 300_000 },
      )
      const { categories, audits } = JSON.parse(await readFile(file, 'utf8')) as Report
      const scores = Object.fromEntries(
        Object.entries(categories).map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]),
      )
      const metrics = [
        'first-contentful-paint',
        'largest-contentful-paint',
        'total-blocking-time',
        'cumulative-layout-shift',
        'speed-index',
      ]
      const wanting = Object.values(audits).filter(
        ({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score !== null && score < 1,
      )
      return {
        scores,
        metrics: Object.fromEntries(metrics.map((name) => [name, audits[name]?.displayValue])),
        wanting: wanting.map(({ title }) => title),
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}
