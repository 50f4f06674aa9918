import { daysAside } from '#contract/aside.ts'
import { day } from '#server/clock.ts'
import { hashIn } from './image.rules.ts'

/** A file that was set aside: `aside/2026-11-16.objects.<hash>` was `objects/<hash>` until that day. */
export type AsideFile = { name: string; original: string; hash: string; since: string; bytes: number }

const asideName = /^aside\/(\d{4}-\d\d-\d\d)\.(objects|variants)\.(.+)$/

export function nameAside(original: string, today: string) {
  return `aside/${today}.${original.replace('/', '.')}`
}

export function readAsideName({ name, bytes }: { name: string; bytes: number }): AsideFile | undefined {
  const [, since = '', folder, rest] = asideName.exec(name) ?? []
  return folder ? { name, original: `${folder}/${rest}`, hash: hashIn(name), since, bytes } : undefined
}

export function dateOf(moment: Date) {
  return moment.toISOString().slice(0, 10)
}

/**
 * What has lain aside long enough. `days` are the dates on which a sweep has run: a clock that is wrong for a moment adds one
 * of them and not thirty. Both must agree, the clock and the count.
 */
export function longAside(files: readonly AsideFile[], days: readonly string[], today: string) {
  return files.filter(({ since }) => {
    const counted = days.filter((date) => date > since).length
    return counted >= daysAside && (Date.parse(today) - Date.parse(since)) / day >= daysAside
  })
}

type Stored = { name: string; modifiedAt: Date }

type Situation = {
  files: readonly Stored[]
  /** The photos the database knows of, or that a project shows. */
  known: ReadonlySet<string>
  /** When the database was made. */
  madeAt: Date
  /** What is younger than this may still be on its way into the database. */
  before: Date
}

/** A few photos are what a killed process leaves; more are what a wrong or damaged database does not know. */
const aFew = 5

/** The files no database knows that may be set aside; none when it may be the database that is at fault. */
export function strayFiles({ files, known, madeAt, before }: Situation) {
  const unknown = files.filter(({ name }) => !known.has(hashIn(name)))
  const old = unknown.filter(({ modifiedAt }) => modifiedAt < before)
  const photos = new Set(old.map(({ name }) => hashIn(name))).size
  const isDoubtful = known.size === 0 || photos > aFew || old.some(({ modifiedAt }) => modifiedAt < madeAt)
  return { stray: isDoubtful ? [] : old.map(({ name }) => name), untouched: isDoubtful ? photos : 0 }
}
