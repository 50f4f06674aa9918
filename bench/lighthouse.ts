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

/** One run says little: a task of the machine's in the wrong moment costs ten points. Its authors advise the median of five. */
const runs = 5

const metrics = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
  'speed-index',
]

/** Google's judgement of the page on a simulated slow phone. */
export function benchLighthouse() {
  return withSite(async (site) => {
    await allCopiesMade(site.url)
    const reports: Report[] = []
    for (let run = 0; run < runs; run += 1) reports.push(await judge(site.url))
    const byPerformance = reports.toSorted((a, b) => performanceOf(a) - performanceOf(b))
    const median = byPerformance[Math.floor(runs / 2)] as Report
    const wanting = Object.values(median.audits).filter(
      ({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score !== null && score < 1,
    )
    return {
      performanceOfEachRun: byPerformance.map(performanceOf),
      scores: Object.fromEntries(Object.entries(median.categories).map(([name, { score }]) => [name, inPoints(score)])),
      metrics: Object.fromEntries(metrics.map((name) => [name, median.audits[name]?.displayValue])),
      wanting: wanting.map(({ title }) => title),
    }
  })
}

async function judge(url: string): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrina-lighthouse-'))
  const file = path.join(folder, 'report.json')
  try {
    const chromeFlags = '--headless --no-sandbox --disable-background-networking --disable-component-update --disable-sync'
    await promisify(execFile)(
      'npx',
      ['--yes', lighthouse, url, '--output=json', `--output-path=${file}`, `--chrome-flags=${chromeFlags}`, '--quiet'],
      { env: { ...process.env, CHROME_PATH: findChromium() }, timeout: 300_000 },
    )
    return JSON.parse(await readFile(file, 'utf8')) as Report
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function performanceOf({ categories }: Report) {
  return inPoints(categories.performance?.score ?? null)
}

function inPoints(score: number | null) {
  return Math.round((score ?? 0) * 100)
}
