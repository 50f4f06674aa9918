import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { receiveContact } from '#server/features/contacts/receive-contact.ts'
import { projectRoot } from '#server/own-program.ts'
import { allContacts } from '#tests/all-records.ts'
import { aContact, aStoredProject, storeContact, storeProject } from '#tests/factories.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { openTestApp } from '#tests/test-app.ts'
import { openTestDatabase } from '#tests/test-database.ts'
import { openDatabase } from './open.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Writes in one transaction, which it commits when it is sent a message. */
const program = `
  import { DatabaseSync } from '@photostructure/sqlite'
  const database = new DatabaseSync(process.argv[1], { timeout: 60_000 })
  database.exec("pragma wal_autocheckpoint = 1; begin immediate; update projects set title = 'Of the other process'")
  process.send('locked')
  process.once('message', () => {
    database.exec('commit')
    process.disconnect()
  })`

async function startOther(dataDir: string) {
  const args = ['--input-type=module', '-e', program, path.join(dataDir, 'vitrina.sqlite')]
  const other = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(other, 'exit')
  onTestFinished(() => void other.kill('SIGKILL'))
  await once(other, 'message')
  return {
    async commit() {
      other.send('commit')
      expect(await ended).toEqual([0, null])
    },
    async kill() {
      other.kill('SIGKILL')
      await ended
    },
  }
}

async function openSite() {
  const dataDir = await temporaryFolder()
  const database = await openTestDatabase('sqlite', { place: { dataDir } })
  await storeProject(database.db, aStoredProject({ title: 'Tug' }))
  return { ...database, database, dataDir, titles: () => titlesIn(database.db) }
}

async function titlesIn(db: Awaited<ReturnType<typeof openTestDatabase>>['db']) {
  return (await db.selectFrom('projects').select('title').execute()).map(({ title }) => title)
}

const aMessage = (number: number) => ({
  ...aContact({ name: String(number) }),
  projectType: null,
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  createdAt: '2026-05-01T12:00:00.000Z',
})

test('while another process writes, everything but writes goes on; writes follow in their order', async () => {
  const { db, database, dataDir, titles } = await openSite()
  const other = await startOther(dataDir)
  const written: string[] = []
  const writes = [storeContact(db, aMessage(1)).then(() => written.push('statement'))]
  await nextTurn()
  writes.push(
    db
      .transaction()
      .execute((tx) => storeContact(tx, aMessage(2)))
      .then(() => written.push('transaction')),
  )
  await nextTurn()
  writes.push(storeContact(db, aMessage(3)).then(() => written.push('last')))
  let ticks = 0
  const ticking = setInterval(() => {
    ticks += 1
  }, 1)
  onTestFinished(() => clearInterval(ticking))
  // Many attempts of the first write are among them.
  while (ticks < 300) {
    expect(await titles()).toEqual(['Tug'])
    await nextTurn()
  }
  await database.check()
  await database.checkpoint()
  expect(await database.unlessBusy('anything', async () => 'begun')).toEqual({ done: 'begun' })
  expect(await database.snapshot((tx) => allContacts(tx))).toEqual([])
  expect(written).toEqual([])

  await other.commit()
  await Promise.all(writes)
  expect(written).toEqual(['statement', 'transaction', 'last'])
  expect(await titles()).toEqual(['Of the other process'])
  expect(await allContacts(db)).toHaveLength(3)
})

test('a process that is killed while it writes leaves nothing, and those that waited go on', async () => {
  const { db, dataDir, titles } = await openSite()
  const other = await startOther(dataDir)
  const writes = [storeContact(db, aMessage(1)), db.transaction().execute((tx) => storeContact(tx, aMessage(2)))]
  expect(await titles()).toEqual(['Tug'])
  await other.kill()
  await Promise.all(writes)
  expect(await allContacts(db)).toHaveLength(2)
  expect(await titles()).toEqual(['Tug'])
})

test('a message that was answered as failed meanwhile is not stored later', async () => {
  const dataDir = await temporaryFolder()
  const site = await openTestApp('sqlite', { place: { dataDir } })
  const other = await startOther(dataDir)
  await expect(receiveContact(site, aContact(), () => false, 50)).rejects.toMatchObject({ code: 'unavailable' })
  const patient = receiveContact(site, aContact({ name: 'Patient' }), () => false, 60_000)
  await other.commit()
  await patient
  expect((await allContacts(site.db)).map(({ name }) => name)).toEqual(['Patient'])
})

test('a program beside the site writes one long transaction, and then the main file alone is whole', async () => {
  const site = await openSite()
  const beside = await openDatabase({ dataDir: site.dataDir, asGuest: true, unchecked: true })
  await beside.exclusively(
    'merge',
    async (tx) => {
      for (let number = 0; number < 300; number += 1) {
        await storeContact(tx, { ...aMessage(number), message: 'x'.repeat(4_000) })
        if (number % 100 === 0) expect(await site.titles()).toEqual(['Tug'])
      }
    },
    { withoutTimeout: true },
  )
  const copy = await temporaryFolder()
  await copyFile(path.join(site.dataDir, 'vitrina.sqlite'), path.join(copy, 'vitrina.sqlite'))
  await beside.close()
  const copied = await openTestDatabase('sqlite', { place: { dataDir: copy } })
  expect(await allContacts(copied.db)).toHaveLength(300)
  await storeContact(site.db, aMessage(300))
  expect(await allContacts(site.db)).toHaveLength(301)
})
