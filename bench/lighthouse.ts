import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { findChromium } from '../scripts/test-tools.ts'
import { allVariantsMade, withFolder, withSite } from './site.ts'

type Report = {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { displayValue?: string }>
}

/** Fetched from npm when it is run: it is larger than everything else we depend on, and nothing but this needs it. */
const lighthouse = 'lighthouse@12.8.2'

const runs = 5
const metrics = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']

/** Google's judgement of the page on a simulated slow phone. */
export function benchLighthouse() {
  return withSite(async ({ url }) => {
    await allVariantsMade(url)
    const reports: Report[] = []
    for (let run = 0; run < runs; run += 1) reports.push(await judge(url))
    reports.sort((one, other) => scoreOf(one) - scoreOf(other))
    const { audits, categories } = reports[Math.floor(runs / 2)] as Report
    return {
      performanceOfEachRun: reports.map(scoreOf),
      scores: Object.fromEntries(Object.entries(categories).map(([name, { score }]) => [name, score])),
      metrics: Object.fromEntries(metrics.map((name) => [name, audits[name]?.displayValue])),
    }
  })
}

function judge(url: string) {
  return withFolder(async (folder) => {
    const file = path.join(folder, 'report.json')
    const flags = '--headless --no-sandbox --disable-background-networking --disable-component-update --disable-sync'
    await promisify(execFile)(
      'npx',
      ['--yes', lighthouse, url, '--output=json', `--output-path=${file}`, `--chrome-flags=${flags}`, '--quiet'],
      { env: { ...process.env, CHROME_PATH: findChromium() }, timeout: 300_000 },
    )
    return JSON.parse(await readFile(file, 'utf8')) as Report
  })
}

const scoreOf = ({ categories }: Report) => categories.performance?.score ?? 0
