import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { allProjects } from '#tests/all-records.ts'
import { aPasskeyOf } from '#tests/authenticator.ts'
import { aStoredProject, storeProject } from '#tests/factories.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { databases, openTestDatabase } from '#tests/test-database.ts'
import { findPasskey, insertPasskey } from '../features/accounts/passkeys.queries.ts'
import { putIntoOutbox } from '../mail/outbox.queries.ts'
import { openDatabase } from './open.ts'
import { choosePgDump, dumpPostgres } from './postgres-dump.ts'
import { postgresEnvironment } from './postgres-pool.ts'

describe.each(databases)('on %s', (dialect) => {
  test('a snapshot does not see what is written meanwhile', async () => {
    const { db, snapshot } = await openTestDatabase(dialect)
    await storeProject(db, aStoredProject({ title: 'before' }))
    const seen = await snapshot(async (tx) => {
      const first = await allProjects(tx)
      // On SQLite the other writer waits until the snapshot is over.
      const writing = storeProject(db, aStoredProject({ title: 'meanwhile' }))
      if (dialect === 'postgres') await writing
      return { first, second: await allProjects(tx), writing: { done: writing } }
    })
    await seen.writing.done
    expect(seen.second).toEqual(seen.first)
    expect((await allProjects(db)).length).toBe(2)
  })

  test('a copy of the database holds what the database holds', async () => {
    const database = await openTestDatabase(dialect)
    await storeProject(database.db, aStoredProject({ title: 'In the copy' }))
    const id = randomUUID()
    const account = { id, username: 'Ana', nameKey: 'ana', passwordHash: 'a hash', lastLogin: null }
    await database.db.insertInto('adminUsers').values(account).execute()
    await insertPasskey(database.db, aPasskeyOf(id))
    const folder = await temporaryFolder()
    const file = path.join(folder, 'vitrina.sqlite')
    await database.dump((content) => pipeline(content, createWriteStream(file)))
    if (dialect === 'postgres') {
      const statements = await readFile(file, 'utf8')
      for (const written of ['In the copy', aPasskeyOf(id).name]) expect(statements).toContain(written)
    } else {
      const copy = await openDatabase({ dataDir: folder })
      expect((await allProjects(copy.db)).map(({ title }) => title)).toEqual(['In the copy'])
      expect(await findPasskey(copy.db, aPasskeyOf(id).id)).toEqual(aPasskeyOf(id))
      await copy.close()
    }
  })

  test('a copy holds neither sessions, nor mails, nor anything else of the moment, not even a trace of it', async () => {
    const database = await openTestDatabase(dialect)
    const { db } = database
    const adminId = randomUUID()
    const later = '2030-01-01T00:00:00.000Z'
    await db
      .insertInto('adminUsers')
      .values({ id: adminId, username: 'Ana', nameKey: 'ana', passwordHash: 'a hash', lastLogin: null })
      .execute()
    for (let number = 0; number < 500; number += 1) {
      const trace = `a-trace-${number}`
      await db.insertInto('sessions').values({ sid: trace, adminId, sess: '{}', expire: later }).execute()
      await db.insertInto('loginAttempts').values({ subject: trace, failures: 1, lastFailure: later }).execute()
      await db.insertInto('requestCounts').values({ subject: trace, count: 1, windowEnds: later }).execute()
      await db.insertInto('uploadTickets').values({ id: trace, adminId, state: 'open', expiresAt: later }).execute()
      await db.insertInto('tokens').values({ id: trace, kind: 'address', adminId, email: trace, expiresAt: later }).execute()
      await putIntoOutbox(db, { kind: 'inquiry', message: { to: trace, subject: trace, text: trace } }, new Date(later))
    }
    const folder = await temporaryFolder()
    const file = path.join(folder, 'vitrina.sqlite')
    await database.dump((content) => pipeline(content, createWriteStream(file)))
    const copy = await readFile(file, 'latin1')
    // Told apart here: a whole database in the report helps nobody.
    expect(copy.includes(adminId)).toBe(true)
    expect(copy.includes('a-trace-')).toBe(false)
    expect(await db.selectFrom('sessions').select('sid').execute()).toHaveLength(500)
  })
})

describe('choosing pg_dump', () => {
  const old = { program: '/usr/bin/pg_dump', major: 13 }
  const fresh = { program: '/usr/lib/postgresql/17/bin/pg_dump', major: 17 }

  test('takes the first that is new enough', () => expect(choosePgDump([old, fresh], 15)).toBe(fresh))
  test('says that there is none', () => expect(() => choosePgDump([], 15)).toThrow('pg_dump was not found'))
  test('says that there are only older ones', () =>
    expect(() => choosePgDump([old], 15)).toThrow('PostgreSQL is 15, and of pg_dump there is only /usr/bin/pg_dump (13)'))
})

const siteOfAna = { PGHOST: 'db.example', PGUSER: 'ana', PGDATABASE: 'site' }

test.each([
  ['postgres://ana:s%40cret@db.example/site', { ...siteOfAna, PGPASSWORD: 's@cret' }],
  ['postgres://ana@db.example/site', siteOfAna],
  ['postgres://ana@db.example/site?password=s%40cret', { ...siteOfAna, PGPASSWORD: 's@cret' }],
  ['postgres://ana:old@db.example/site?p%61ssword=new', { ...siteOfAna, PGPASSWORD: 'new' }],
  ['postgresql://ana:x@[::1]:5433/site', { ...siteOfAna, PGHOST: '::1', PGPORT: '5433', PGPASSWORD: 'x' }],
  ['postgres:///site?user=ana&password=x&host=/run/pg', { ...siteOfAna, PGHOST: '/run/pg', PGPASSWORD: 'x' }],
  ['postgres://ana@/site?host=%2Frun%2Fpg', { ...siteOfAna, PGHOST: '/run/pg' }],
  ['postgres://ana@db.example/site?sslmode=require', { ...siteOfAna, PGSSLMODE: 'require' }],
  // What only pg understands, as pg_dump understands it.
  ['postgres://ana@db.example/site?sslmode=no-verify', { ...siteOfAna, PGSSLMODE: 'require' }],
  ['postgres://ana@db.example/site?ssl=true', { ...siteOfAna, PGSSLMODE: 'require' }],
  [
    'postgres://ana@db.example/site?connect_timeout=5&sslmode=no-verify&application_name=a%20b',
    { ...siteOfAna, PGCONNECT_TIMEOUT: '5', PGSSLMODE: 'require', PGAPPNAME: 'a b' },
  ],
  [
    'postgres://ana@db.example/site?sslmode=verify-full&channel_binding=require',
    { ...siteOfAna, PGSSLMODE: 'verify-full', PGCHANNELBINDING: 'require' },
  ],
])('pg_dump is told of %s by variables', (url, variables) => {
  expect(postgresEnvironment(url)).toEqual(variables)
})

test('of the address nothing is on the command line of pg_dump, and no other setting leads elsewhere', async () => {
  const folder = await temporaryFolder()
  const script =
    '#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) 99.1"; echo "$@" "$PGHOST $PGPASSWORD $PGSERVICE"\necho "PostgreSQL database dump complete"\n'
  await writeFile(path.join(folder, 'pg_dump'), script, { mode: 0o755 })
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PGHOST', 'elsewhere')
  vi.stubEnv('PGSERVICE', 'elsewhere')
  let dump = ''
  await dumpPostgres(
    'postgres://ana:secret@db.example/site',
    15,
    async (content) => {
      dump = await text(content)
    },
    { folders: [folder] },
  )
  const [version = ''] = dump.split('\n')
  expect(version).toMatch(/ db\.example secret $/)
  expect(version).not.toMatch(/(ana|secret|db\.example).* db\.example/)
})
