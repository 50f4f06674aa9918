import type { Working, WorkKind, WorkStep } from '#contract/backup-status.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { changeCare, readCare } from './backup-jobs.ts'

export type Step = WorkStep
/** How far it is: so many photos of so many. */
export type Progress = (step: Step, done: number, total: number) => void

export const unwatched: Progress = () => {}

type Parts = { database: Database; clock: Clock }

/** What is worked at, one thing at a time in all processes: the machine may be small, and two restores at once would mix their answers. */
export const backupsLock = 'backups'

/** Often enough to look alive. */
const writeEvery = 500

/** Does the work while the database says what it is and how far it has come, for whoever asks whichever process. */
export async function whileShown<T>({ database, clock }: Parts, kind: WorkKind, work: (progress: Progress) => Promise<T>) {
  const startedAt = clock.now().toISOString()
  let writing: Promise<unknown> | undefined
  let written = 0
  // A database that does not take it does not keep the work from being done.
  const write = (working: Working | null) => changeCare(database.db, { working }).catch(() => {})
  await write({ kind, step: 'reading', done: 0, total: 0, startedAt })
  try {
    return await work((step, done, total) => {
      if (writing || performance.now() - written < writeEvery) return
      written = performance.now()
      // Not waited for: the built-in database may be held by the work itself.
      writing = write({ kind, step, done, total, startedAt }).finally(() => {
        writing = undefined
      })
    })
  } finally {
    await writing
    await write(null)
  }
}

/** At what some process works; null when none does. What a killed one has left is cleared away. */
export async function findWorking({ db, unlessBusy }: Database): Promise<Working | null> {
  const { working } = await readCare(db)
  if (!working) return null
  const left = await unlessBusy(backupsLock, () => changeCare(db, { working: null }))
  return left ? null : working
}
