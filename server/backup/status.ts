import type { BackupState } from '#contract/backup-status.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { CareRow } from '#server/database/tables.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import type { Storage } from '#server/storage/storage.ts'
import { findWorking, listKnown, readCare } from './backup-jobs.ts'
import { isOfFuture, listStoredBackups } from './backup-names.ts'
import { describeMerge } from './restore/last-merge.queries.ts'
import { type Night, nextDue } from './schedule.rules.ts'
import { findSafe, shortfallsOf } from './status.rules.ts'

type NightParts = { database: Database; clock: Clock; hasOwner(): Promise<boolean> }

/** What decides whether a backup is due. */
export async function readNight({ database: { db }, clock, hasOwner }: NightParts, care?: CareRow): Promise<Night> {
  const [{ nightly, at, nightDoneAt, nightFault }, { timeZone }, { createdAt }] = await Promise.all([
    care ?? readCare(db),
    readMaker(db),
    db.selectFrom('site').select('createdAt').executeTakeFirstOrThrow(),
  ])
  return {
    now: clock.now(),
    at,
    timeZone,
    isOn: nightly ?? (await hasOwner()),
    siteCreatedAt: createdAt,
    doneAt: nightDoneAt,
    fault: nightFault,
  }
}

export type StateParts = NightParts & {
  storage: Storage
  /** How copies elsewhere fare; null while no second place is named. */
  describeElsewhere(): Promise<BackupState['elsewhere']>
  /** Whether what is downloaded is encrypted. */
  isEncrypted: boolean
}

/** How safe everything is. Says only what was read back. */
export async function readState({ describeElsewhere, isEncrypted, ...parts }: StateParts): Promise<BackupState> {
  const { database, storage } = parts
  const { db } = database
  const care = await readCare(db)
  const [night, listed, known, elsewhere, working] = await Promise.all([
    readNight(parts, care),
    listStoredBackups(storage, parts.clock.now()),
    listKnown(db),
    describeElsewhere(),
    findWorking(database),
  ])
  const past = listed.filter(({ filename }) => !isOfFuture(filename, night.now))
  const isKept = async (filename: string) => listed.some((backup) => backup.filename === filename)
  const { keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly, trial } = care
  return {
    settings: { nightly: night.isOn, at: care.at, keep: { daily, weekly, monthly } },
    timeZone: night.timeZone,
    now: night.now.toISOString(),
    shortfalls: shortfallsOf({ night, trial, elsewhere, listed: past, known }),
    safe: findSafe(past, known),
    night: { nextAt: night.isOn ? nextDue(night).toISOString() : null, doneAt: night.doneAt, fault: night.fault },
    elsewhere,
    trial,
    encrypted: isEncrypted,
    working,
    lastMerge: care.lastMerge && (await describeMerge(care.lastMerge, { db, isKept })),
  }
}
