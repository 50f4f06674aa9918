import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { readBackupState, updateBackupState } from '../backup/backup-state.ts'
import type { Database } from '../database/open.ts'
import { someAtATime } from '../database/slices.ts'
import type { Db, Tables } from '../database/tables.ts'

/**
 * Every table: the key of its rows, or null where they are not moved. Sessions, counters and tickets are transient: everyone
 * signs in again. Unsent photos of visitors and queued mails are moved, because the site goes on in the new database.
 */
const keys = {
  adminUsers: ['id'],
  images: ['hash'],
  projects: ['id'],
  projectTexts: ['projectId', 'language'],
  projectPhotos: ['projectId', 'position'],
  projectPhotoTexts: ['projectId', 'position', 'language'],
  projectAddresses: ['slug'],
  contactMessages: ['id'],
  contactReplies: ['id'],
  contactPhotos: ['id'],
  outbox: ['id'],
  siteVersions: ['number'],
  siteDraft: ['id'],
  knownBackups: ['filename'],
  jobs: ['name'],
  mergedRecords: ['list', 'recordId'],
  passkeys: ['id'],
  activity: ['id'],
  statistics: ['day', 'kind', 'name'],
  settings: ['name'],
  sessions: null,
  loginAttempts: null,
  requestCounts: null,
  uploadTickets: null,
  tokens: null,
  // One row each, which is updated: the new database has one already.
  site: null,
  backupCare: null,
} as const satisfies Record<keyof Tables, readonly string[] | null>

type Row = Record<string, unknown>
type Table = keyof typeof keys
export type MovedTable = { table: Table; rows: number; sha256: string }

const moved = (Object.keys(keys) as Table[]).filter((table) => keys[table] !== null)
const moments = new Set([
  'createdAt',
  'lastLogin',
  'unreferencedSince',
  'deletedAt',
  'changedAt',
  'sentAt',
  'nextAttemptAt',
  'checkedAt',
  'copiedAt',
  'lastSuccess',
  'nextTry',
  'usedAt',
  'setAt',
  'at',
])
const ids = new Set(['id', 'projectId', 'contactId', 'replyId', 'aboutId', 'recordId', 'adminId'])

const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Copies accounts, projects, messages and the rows of photos into an empty database, in one transaction that is only
 * kept when the copy, read again, is the same. A database that holds just that already is left as it is.
 */
export async function moveRecords(source: Database, target: Database): Promise<MovedTable[]> {
  const from = await source.snapshot(readAll)
  const site = await source.db.selectFrom('site').selectAll().executeTakeFirstOrThrow()
  const jobs = await readBackupState(source.db)
  const copy = async (tx: Db) => {
    const before = await readAll(tx)
    if (!isSame(before, from)) {
      if (before.some(({ rows }) => rows.length > 0)) {
        throw new Error('The database to move to is not empty. Nothing was changed there. Name an empty one.')
      }
      for (const { table, rows } of from) await insert(tx, table, rows)
      await tx.updateTable('site').set(site).execute()
      await updateBackupState(tx, { ...jobs, working: null })
      if (!isSame(await readAll(tx), from)) throw new Error('What was written is not what was read. Nothing was kept.')
    }
    return from.map(({ table, rows }) => ({ table, rows: rows.length, sha256: sumOf(rows) }))
  }
  return target.exclusively('moving', copy, { withoutTimeout: true })
}

type Read = { table: Table; rows: Row[] }[]

async function readAll(db: Db): Promise<Read> {
  const all: Read = []
  for (const table of moved) {
    const rows: Row[] = await db
      .selectFrom(table as 'projects')
      .selectAll()
      .execute()
    const nameOf = (row: Row) => keys[table]?.map((column) => row[column as string]).join(' ') ?? ''
    all.push({ table, rows: rows.map(asWritten).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) })
  }
  return all
}

async function insert(db: Db, table: Table, rows: readonly Row[]) {
  for await (const some of someAtATime(rows)) {
    await db
      .insertInto(table as 'projects')
      .values(some as Insertable<Tables['projects']>[])
      .execute()
  }
}

/** Moments, ids and JSON in one notation: the two databases return different ones. */
function asWritten(row: Row): Row {
  const values = Object.entries(row).map(([column, value]) => {
    if (typeof value === 'object' && value !== null) return [column, JSON.stringify(inOrder(value))]
    if (typeof value !== 'string') return [column, value]
    if (moments.has(column)) return [column, new Date(value).toISOString()]
    return [column, ids.has(column) && isUuid.test(value) ? value.toLowerCase() : value]
  })
  return Object.fromEntries(values.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}

/** PostgreSQL returns the keys of an object in another order. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]))
}

function isSame(some: Read, others: Read) {
  return some.every(({ rows }, index) => sumOf(rows) === sumOf(others[index]?.rows ?? []))
}

function sumOf(rows: readonly Row[]) {
  const sum = createHash('sha256')
  for (const row of rows) sum.update(`${JSON.stringify(row)}\n`)
  return sum.digest('hex')
}
