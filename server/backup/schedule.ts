import type { ProblemCode } from '#contract/problems.ts'
import { day, dayIn, daysAfter, daysBefore, momentOf } from '#server/clock.ts'
import type { Integrity, JobRow } from '#server/database/tables.ts'
import { asProblem, Problem } from '#server/http/problem.ts'
import { faultOf, isTimeFor, type JobRows, nextTryOf, readJobs, type ScheduledJob, writeJob } from '#server/jobs/jobs.ts'
import { composeFaults } from '#server/mail/compose.rules.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { putIntoOutboxFor, readMailSettings } from '#server/mail/outbox.queries.ts'
import { listStoredBackups, madeAt } from './backup-names.ts'
import { readBackupState } from './backup-state.ts'
import type { Job } from './job.ts'
import type { BackupParts } from './make-backup.ts'
import { listWaiting } from './offsite-copies.ts'
import { isWhole } from './retention.ts'

/** A demo makes backups only when it is told to. */
export type ScheduleParts = BackupParts & { demoAdminActive(): Promise<boolean> }

export type BackupJobParts = ScheduleParts & {
  mailer: Pick<Mailer, 'wake'>
  /** Runs a job in the backup worker. Rejects with a `Problem`. */
  startJob(job: Job): Promise<unknown>
}

export async function readSchedule(
  { config: { timeZone }, database: { db }, clock, demoAdminActive }: ScheduleParts,
  row: JobRow,
): Promise<NightlyBackup> {
  const [{ nightly, at }, site] = await Promise.all([
    readBackupState(db),
    db.selectFrom('site').select('createdAt').executeTakeFirstOrThrow(),
  ])
  const isOn = nightly ?? !(await demoAdminActive())
  return { now: clock.now(), at, timeZone, isOn, siteCreatedAt: site.createdAt, row }
}

/** The nightly backup, its off-site copy, the restore test, the check of what is stored, and the mail about what fails. */
export function backupJobs(parts: BackupJobParts): ScheduledJob[] {
  return [nightlyJob(parts), copyJob(parts), restoreTestJob(parts), integrityJob(parts), faultMailsJob(parts)]
}

function nightlyJob(parts: BackupJobParts): ScheduledJob {
  return {
    name: 'nightly',
    isDue: async ({ nightly }) => isDueNow(await readSchedule(parts, nightly)),
    async run() {
      const made = (await parts.startJob({ kind: 'night' })) as { filename: string }
      return { lastSuccess: madeAt(made.filename).toISOString() }
    },
  }
}

function copyJob({ startJob, ...parts }: BackupJobParts): ScheduledJob {
  // Tried once after each start: the settings may name another target, or one that cannot be reached.
  let isTried = false
  return {
    name: 'copy',
    async isDue({ copy }, now) {
      if (!parts.config.offsite) return false
      const nextTry = nextTryOf(copy, now)
      return nextTry ? nextTry <= now : !isTried || (await listWaiting(parts)).length > 0
    },
    async run() {
      await startJob({ kind: 'copy' })
      isTried = true
      return {}
    },
  }
}

const daysBetweenTests = 30

function restoreTestJob(parts: BackupJobParts): ScheduledJob {
  const { config, storage, clock, startJob } = parts
  const findNewest = async () => (await listStoredBackups(storage, clock.now())).find(({ filename }) => isWhole(filename))
  return {
    name: 'restore-test',
    async isDue({ 'restore-test': row }, now) {
      if (!isTimeFor(row, daysBetweenTests * day, now)) return false
      // On the first day of a site, setting it up needs the processor.
      const { siteCreatedAt } = await readSchedule(parts, row)
      if (new Date(siteCreatedAt) > daysBefore(now, 1)) return false
      // Copies are made first: a test would keep them waiting for hours.
      if (config.offsite && (await listWaiting(parts)).length > 0) return false
      return (await findNewest()) !== undefined
    },
    async run() {
      const { filename = '' } = (await findNewest()) ?? {}
      const tested = await startJob({ kind: 'restore-test', filename }).catch(asProblem)
      if (!(tested instanceof Problem)) return { result: { filename, ...(tested as { onBuiltIn?: boolean }) } }
      // It takes hours on a small machine. An outage is over sooner.
      const nextTry = new Date(clock.now().getTime() + day).toISOString()
      return { problem: tested, result: { filename }, ...(tested.status !== 503 && { nextTry }) }
    },
  }
}

/** Every day, also where nightly backups are off. */
function integrityJob({ startJob }: BackupJobParts): ScheduledJob {
  return {
    name: 'integrity',
    isDue: ({ integrity }, now) => isTimeFor(integrity, day, now),
    run: async () => ({ result: (await startJob({ kind: 'integrity' })) as Integrity }),
  }
}

/** Sends what keeps failing to the maker, once a day at most. */
function faultMailsJob({ config, database: { db }, clock, mailer }: BackupJobParts): ScheduledJob {
  const faultsIn = (rows: JobRows, now: Date) => faultsToMail(rows, { now, isCopied: config.offsite !== undefined })
  return {
    name: 'fault-mails',
    isDue: (rows, now) =>
      config.mail !== undefined && (nextTryOf(rows['fault-mails'], now) ?? now) <= now && faultsIn(rows, now).length > 0,
    async run() {
      const { mail, publicUrl } = config
      if (!mail) return undefined
      const now = clock.now()
      const faults = faultsIn(await readJobs(db), now)
      const message = composeFaults(faults, { ...(await readMailSettings(db)), publicUrl })
      await db.transaction().execute(async (tx) => {
        await putIntoOutboxFor(tx, mail.to, { kind: 'backup', message }, now)
        await writeJob(tx, 'fault-mails', { lastSuccess: now.toISOString() })
      })
      mailer.wake()
      return {}
    },
  }
}

type Schedule = { now: Date; at: string; timeZone: string }

/** The last moment at which a backup was due, `now` included. */
export function lastDue(schedule: Schedule): Date {
  // Two days back: a time zone can skip a day.
  return dueOn([0, -1, -2], schedule).find((moment) => moment <= schedule.now) ?? schedule.now
}

export function nextDue(schedule: Schedule): Date {
  return dueOn([0, 1, 2], schedule).find((moment) => moment > schedule.now) ?? schedule.now
}

/** So many days after today. */
function dueOn(days: number[], { now, at, timeZone }: Schedule) {
  return days.map((each) => momentOf(daysAfter(dayIn(timeZone, now), each), at, timeZone))
}

export type NightlyBackup = Schedule & { isOn: boolean; siteCreatedAt: string; row: JobRow }

/** Since when a backup has been due that is not made; undefined when none is. A machine that was off makes it late. */
export function dueSince({ isOn, siteCreatedAt, row: { lastSuccess }, ...schedule }: NightlyBackup): Date | undefined {
  const due = lastDue(schedule)
  // A moment in the future was stored by a clock that was ahead.
  const isDone = lastSuccess !== null && new Date(lastSuccess) >= due && new Date(lastSuccess) <= schedule.now
  return isOn && new Date(siteCreatedAt) < due && !isDone ? due : undefined
}

/** Whether to make one now, or to try again. */
export function isDueNow(schedule: NightlyBackup) {
  const { row, now } = schedule
  const due = dueSince(schedule)
  if (!due) return false
  const hasFailedSince = row.lastError && new Date(row.lastError.at) >= due
  return !hasFailedSince || (nextTryOf(row, now) ?? now) <= now
}

/** Whether a backup job fails. A restore test without room on the disk has tested nothing, and is none. */
export function isFailing({ name, lastError }: JobRow, { isCopied }: { isCopied: boolean }) {
  if (name === 'restore-test' && lastError?.code === ('disk_full' satisfies ProblemCode)) return false
  return lastError !== null && (name !== 'copy' || isCopied)
}

const backupJobNames = ['nightly', 'copy', 'restore-test'] as const
const triesBeforeMail = 3

/** What has failed again since the last mail, which is at least a day ago. */
export function faultsToMail(rows: JobRows, { now, isCopied }: { now: Date; isCopied: boolean }) {
  const isOld = (moment: string | null) => !moment || Date.parse(moment) <= now.getTime() - day
  const mailedAt = rows['fault-mails'].lastSuccess
  if (!isOld(mailedAt)) return []
  return backupJobNames.flatMap((job) => {
    const row = rows[job]
    const fault = faultOf(row)
    if (!fault || !isFailing(row, { isCopied }) || fault.tries < triesBeforeMail) return []
    // A copy only after a day: the backup itself is on the server.
    if ((job === 'copy' && !isOld(row.lastSuccess)) || (mailedAt && fault.at <= mailedAt)) return []
    return [{ job, fault }]
  })
}
