import { type Db, type JobName, type JobRow, jobNames as names } from '../database/tables.ts'

export type JobRows = Record<JobName, JobRow>
export type JobChanges = Partial<Omit<JobRow, 'name'>>

const neverRun = { lastSuccess: null, failures: 0, lastError: null, nextTry: null, result: null }

export async function readJobs(db: Db) {
  return jobRows(await db.selectFrom('jobs').selectAll().execute())
}

/** With a row for each job that has never run. */
export function jobRows(stored: readonly (Pick<JobRow, 'name'> & JobChanges)[]): JobRows {
  const rows = names.map((name) => [name, { name, ...neverRun, ...stored.find((row) => row.name === name) }])
  return Object.fromEntries(rows)
}

export async function writeJob(db: Db, name: JobName, { lastError, result, ...changes }: JobChanges) {
  const written = {
    ...changes,
    ...(lastError !== undefined && { lastError: lastError && JSON.stringify(lastError) }),
    ...(result !== undefined && { result: result && JSON.stringify(result) }),
  }
  await db
    .insertInto('jobs')
    .values({ name, ...written })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ name, ...written }))
    .execute()
}

export const noFault = { failures: 0, lastError: null, nextTry: null } satisfies JobChanges

export async function recordSuccess(db: Db, name: JobName, at: Date, changes: JobChanges = {}) {
  await writeJob(db, name, { lastSuccess: at.toISOString(), ...noFault, ...changes })
}
