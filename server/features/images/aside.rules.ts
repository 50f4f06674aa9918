import { quarantineDays } from '#contract/images.ts'
import { day } from '#server/clock.ts'
import { hashIn } from './image.rules.ts'

/** A file that was set aside: `aside/2026-11-16.objects.<hash>` was `objects/<hash>` until that day. */
export type AsideFile = { name: string; original: string; hash: string; since: string; bytes: number }

const asideName = /^aside\/(\d{4}-\d\d-\d\d)\.(objects|variants|inquiry-photos)\.(.+)$/

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
    return counted >= quarantineDays && (Date.parse(today) - Date.parse(since)) / day >= quarantineDays
  })
}

type Stored = { name: string; modifiedAt: Date }

type Situation = {
  files: readonly Stored[]
  /** The images the database knows, or that a project shows. */
  known: ReadonlySet<string>
  /** When the database was made. */
  madeAt: Date
  /** Younger files may not be in the database yet. */
  before: Date
}

/** A killed process leaves a few images; more are unknown because the database is wrong or damaged. */
const maxStray = 5

/** The files the database does not know that may be set aside; none when the database may be at fault. */
export function strayFiles({ files, known, madeAt, before }: Situation) {
  const unknown = files.filter(({ name }) => !known.has(hashIn(name)))
  const old = unknown.filter(({ modifiedAt }) => modifiedAt < before)
  const images = new Set(old.map(({ name }) => hashIn(name))).size
  const isDoubtful = known.size === 0 || images > maxStray || old.some(({ modifiedAt }) => modifiedAt < madeAt)
  return { stray: isDoubtful ? [] : old.map(({ name }) => name), untouched: isDoubtful ? images : 0 }
}
