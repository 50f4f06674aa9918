import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { scheduler } from 'node:timers/promises'
import { demoAdmin } from '#demo/admin.ts'
import { demoProjects } from '#demo/projects.ts'
import { beginBuiltSite, type runBuilt } from '../built-site.ts'
import { olderAccount, olderRecordsIn } from '../older-release.ts'
import { contentAt } from './content.ts'

type Settings = Record<string, string>

/** Starts the site and kills it after so long; before it listens, or soon after. */
export async function startAndKill(settings: Settings, milliseconds: number) {
  await killAfter(beginBuiltSite(settings), milliseconds)
}

/** Kills a program after so long, unless it has ended before. */
export async function killAfter({ child, ended }: Pick<ReturnType<typeof runBuilt>, 'child' | 'ended'>, milliseconds: number) {
  await Promise.race([ended, scheduler.wait(milliseconds)])
  child.kill('SIGKILL')
  return ended
}

/** How long a start takes until it listens. */
export async function timeStart(settings: Settings) {
  const began = performance.now()
  const { child, ended, address, output } = beginBuiltSite(settings)
  if (!(await address)) throw new Error(`The site did not start:\n${output.stderr}`)
  const milliseconds = performance.now() - began
  child.kill('SIGKILL')
  await ended
  return milliseconds
}

type Outcome = { outcome: 'whole' | 'refused' | 'bad'; faults: string[] }

/** Starts the site and looks whether it is whole; one that refuses must say why and what to do. */
export async function startAndLook(
  settings: Settings,
  look: (url: string) => Promise<string[]>,
  lookAfterwards: () => string[] = () => [],
): Promise<Outcome> {
  const { child, ended, address, output } = beginBuiltSite(settings)
  const url = await address
  if (!url) {
    const { code } = await ended
    const faults = faultsInRefusal(code, output.stderr)
    return { outcome: faults.length > 0 ? 'bad' : 'refused', faults: [...faults, output.stderr] }
  }
  const faults = await look(url).catch((error: unknown) => [String(error)])
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  if (code !== 0) faults.push(`stopping it ended with ${code}: ${stderr}`)
  faults.push(...lookAfterwards())
  return { outcome: faults.length > 0 ? 'bad' : 'whole', faults }
}

const cure = /npm run|docs\/deploy\.md|DATA_DIR|DATABASE_URL|[Rr]emove |[Pp]ut |Start the site|chown|Free some/

/** A refusal is a sentence of ours with a cure, and the exit code says so. */
export function faultsInRefusal(code: number | null, stderr: string) {
  const faults: string[] = []
  if (code !== 1) faults.push(`ended with ${code}`)
  if (!stderr.startsWith('Cannot start: ')) faults.push('is no sentence of ours')
  if (/^ {4}at /m.test(stderr)) faults.push('shows a stack')
  if (!cure.test(stderr)) faults.push('names no cure')
  return faults
}

/** What is wrong with a site that was started for the first time. */
export async function faultsOfDemo(url: string) {
  const { projects, photos } = await contentAt(url, demoAdmin)
  const faults = photos.filter(({ status }) => status !== 200).map(({ address, status }) => `${address} answers ${status}`)
  if (projects.length !== demoProjects.length) faults.push(`there are ${projects.length} projects`)
  return faults
}

/** What an older site must still have after an update, however often that was begun. */
export function olderSiteIn(dataDir: string) {
  const records = olderRecordsIn(path.join(dataDir, 'vitrina.sqlite'))
  return {
    async faults(url: string) {
      const { photos } = await contentAt(url, olderAccount)
      return photos.filter(({ status }) => status !== 200).map(({ address, status }) => `${address} answers ${status}`)
    },
    /** Once it is stopped. */
    faultsOnDisk() {
      const faults = sameBut(records, olderRecordsIn(path.join(dataDir, 'vitrina.sqlite')))
        ? []
        : ['records are not as they were']
      const copies = copiesIn(dataDir)
      if (copies.length === 0) faults.push('no copy was kept before the update')
      for (const copy of copies)
        if (!sameBut(records, olderRecordsIn(copy))) faults.push(`the copy ${path.basename(copy)} is not the older database`)
      return faults
    },
  }
}

/** Signing in writes down when. */
function sameBut(one: ReturnType<typeof olderRecordsIn>, other: ReturnType<typeof olderRecordsIn>) {
  const text = (records: typeof one) => JSON.stringify(records, (key, value) => (key === 'last_login' ? undefined : value))
  return text(one) === text(other)
}

function copiesIn(dataDir: string) {
  const folder = path.join(dataDir, 'before-update')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.startsWith('database_backup_'))
    .map((name) => path.join(folder, name))
}
