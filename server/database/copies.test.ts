import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { insertProject } from '#server/features/projects/projects.queries.ts'
import { allProjects } from '#tests/all-records.ts'
import { aStoredProject } from '#tests/factories.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { databases, emptyDatabase, openTestDatabase } from '#tests/test-database.ts'
import { openDatabase } from './open.ts'
import { asPgDumpReads, choosePgDump } from './postgres-dump.ts'

describe.each(databases)('on %s', (dialect) => {
  test('what another process changes is noticed, and so is the next change', async () => {
    const place = await emptyDatabase(dialect)
    const here = await openDatabase(place)
    const there = await openDatabase(place)
    onTestFinished(async () => {
      await here.close()
      await there.close()
    })
    let heard = 0
    const watching = here.watchContent(() => {
      heard += 1
    })
    onTestFinished(() => watching.stop())
    for (const title of ['first', 'second']) {
      const before = heard
      // Whoever has only just begun to listen may miss one; nobody misses the next.
      await expect
        .poll(
          async () => {
            await insertProject(there.db, aStoredProject({ title }))
            return heard
          },
          { timeout: 30_000, interval: 500 },
        )
        .toBeGreaterThan(before)
    }
  })

  test('a snapshot does not see what is written meanwhile', async () => {
    const { db, snapshot } = await openTestDatabase(dialect)
    await insertProject(db, aStoredProject({ title: 'before' }))
    const seen = await snapshot(async (tx) => {
      const first = await allProjects(tx)
      // On SQLite the other writer waits until the snapshot is over.
      const writing = insertProject(db, aStoredProject({ title: 'meanwhile' }))
      if (dialect === 'postgres') await writing
      return { first, second: await allProjects(tx), writing: { done: writing } }
    })
    await seen.writing.done
    expect(seen.second).toEqual(seen.first)
    expect((await allProjects(db)).length).toBe(2)
  })

  test('a copy of the database holds what the database holds', async () => {
    const database = await openTestDatabase(dialect)
    await insertProject(database.db, aStoredProject({ title: 'In the copy' }))
    const folder = await temporaryFolder()
    const file = path.join(folder, 'vitrina.sqlite')
    await database.dump((content) => pipeline(content, createWriteStream(file)))
    if (dialect === 'postgres') expect(await readFile(file, 'utf8')).toContain('In the copy')
    else {
      const copy = await openDatabase({ dataDir: folder })
      expect((await allProjects(copy.db)).map(({ title }) => title)).toEqual(['In the copy'])
      await copy.close()
    }
  })

  test('a copy holds neither sessions nor anything else of the moment, not even a trace of it', async () => {
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

test.each([
  ['postgres://ana:s%40cret@db.example/site?sslmode=require', 'postgres://ana@db.example/site?sslmode=require', 's@cret'],
  ['postgres://ana@db.example/site', 'postgres://ana@db.example/site', undefined],
  ['postgresql://ana:x@[::1]:5433/site', 'postgresql://ana@[::1]:5433/site', 'x'],
  ['postgres://ana@db.example/site?password=s%40cret', 'postgres://ana@db.example/site', 's@cret'],
  ['postgres:///site?user=ana&password=x&host=/run/pg', 'postgres:///site?user=ana&host=/run/pg', 'x'],
  ['postgres://ana:old@db.example/site?p%61ssword=new', 'postgres://ana@db.example/site', 'new'],
])('the password of %s is not told to the process list', (url, address, password) => {
  expect(asPgDumpReads(url)).toEqual({ address, password })
})

test.each([
  ['sslmode=no-verify', '?sslmode=require'],
  ['connect_timeout=5&sslmode=no-verify&application_name=a%20b', '?connect_timeout=5&sslmode=require&application_name=a%20b'],
  ['uselibpqcompat=true&sslmode=verify-full', '?sslmode=verify-full'],
  ['sslmode=require&uselibpqcompat=true', '?sslmode=require'],
  ['uselibpqcompat=true', ''],
])('what only pg understands is put as pg_dump understands it: %s', (given, asked) => {
  expect(asPgDumpReads(`postgres://ana@db.example/site?${given}`).address).toBe(`postgres://ana@db.example/site${asked}`)
})
