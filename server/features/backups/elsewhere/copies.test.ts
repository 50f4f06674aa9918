import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { BackupMaker } from '#contract/backups.ts'
import type { BackupSecret, OffsiteSettings } from '#server/config.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { hashOf } from '#tests/backups.ts'
import { smallDisk } from '#tests/small-disk.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { testClock } from '#tests/test-clock.ts'
import { openTestDatabase } from '#tests/test-database.ts'
import { testLog } from '#tests/test-log.ts'
import { openTestStorage, testBucket } from '#tests/test-storage.ts'
import { backupName, storedBackup } from '../backup-names.ts'
import { changeCare, forgetBackup, listKnown, noteChecked, readCare } from '../care.queries.ts'
import { createCopies } from './copies.ts'
import { whileAlive } from './idle-limit.ts'
import { openFrom, openPlace, type Place, placeIn } from './place.ts'
import { withUnsealed } from './unsealed.ts'

const secret: BackupSecret = { passphrase: 'correct horse battery staple' }
const unstopped = new AbortController().signal

/** A site that has made backups, of which only their bytes matter here. */
async function openSite(dialect: Dialect = 'sqlite') {
  const database = await openTestDatabase(dialect)
  const storage = await openTestStorage('folder')
  const clock = testClock('2026-05-01T03:00:00.000Z')
  const { log, problems } = testLog()
  const { db } = database
  let made = 0

  return {
    database,
    storage,
    clock,
    db,
    log,
    /** What was logged, by its codes. */
    takeFaults: () => problems.splice(0).map(({ err }) => err?.message ?? ''),
    copyFault: async () => (await readCare(db)).copyFault,
    copied: async () => {
      const known = [...(await listKnown(db)).values()].filter(({ copiedAt }) => copiedAt !== null)
      return known.map(({ filename }) => filename).toSorted()
    },

    async make({ madeBy = 'night' as BackupMaker, missingImages = 0, content = randomBytes(100_000) } = {}) {
      made += 1
      const random = String(made).padStart(4, '0')
      const filename = backupName('complete', { at: clock.now(), dialect, random, madeBy, missingImages })
      await storage.put(storedBackup(filename), content)
      await noteChecked(db, { filename, sha256: hashOf(content), checkedAt: clock.now().toISOString() })
      return { filename, content }
    },

    copiesTo: (place: Place, { idleLimit = 60_000, secret }: { idleLimit?: number; secret?: BackupSecret } = {}) =>
      createCopies({ database, storage, clock, place, secret, log, idleLimit }),
  }
}

/** A place that is quicker than another process. */
async function quickPlace(changes: (place: Place) => Partial<Place> = () => ({})) {
  const storage = await openTestStorage('folder')
  const place = placeIn(storage)
  const names = async () => (await place.list(unstopped)).map(({ file }) => file).toSorted()
  return { place: { ...place, ...changes(place) }, honest: place, storage, names }
}

describe.each<[Dialect, OffsiteSettings['kind']]>([
  ['sqlite', 'folder'],
  ['postgres', 'bucket'],
])('on %s, in a %s', (dialect, kind) => {
  async function openElsewhere(): Promise<OffsiteSettings> {
    return kind === 'folder' ? { kind, folder: await temporaryFolder() } : { kind, bucket: await testBucket() }
  }

  test("the night's backup is copied, encrypted, read back, and opened from there", async () => {
    const site = await openSite(dialect)
    const elsewhere = await openElsewhere()
    const place = openPlace(elsewhere)
    const copies = site.copiesTo(place, { secret })
    expect(await copies.describe()).toEqual({ kind, encrypted: true, copied: null, fault: null })
    const { filename, content } = await site.make()
    await site.make({ madeBy: 'person' })
    await copies.bring()
    expect((await place.list(unstopped)).map(({ file }) => file)).toEqual([`${filename}.age`])
    expect(await copies.describe()).toEqual({
      kind,
      encrypted: true,
      copied: { filename, at: '2026-05-01T03:00:00.000Z', copiedAt: '2026-05-01T03:00:00.000Z' },
      fault: null,
    })
    const file = await openFrom(place, filename)
    if (!file) throw new Error('It is not there.')
    const opened = (secret?: BackupSecret) =>
      withUnsealed(file, { storage: site.storage, secret }, (unsealed) => unsealed.read(0, unsealed.bytes))
    expect((await opened(secret)).equals(content)).toBe(true)
    await expect(opened()).rejects.toMatchObject({ code: 'secret_missing' })
    await expect(opened({ passphrase: 'another one entirely' })).rejects.toMatchObject({ code: 'secret_wrong' })
    await file.close()
    expect(await site.storage.list('incoming')).toEqual([])
    await place.remove(`${filename}.age`, unstopped)
    expect(await openFrom(place, filename)).toBeUndefined()
  })
})

describe('in a folder', () => {
  test('what others keep there is left alone, and so is what is being written', async () => {
    const site = await openSite()
    const folder = await temporaryFolder()
    const others = [
      'incoming/scan.pdf',
      'backups/.stfolder',
      'backups/notes.zip',
      `backups/.vitrina-${crypto.randomUUID()}.part`,
    ]
    for (const name of others) {
      await mkdir(path.join(folder, path.dirname(name)), { recursive: true })
      await writeFile(path.join(folder, name), name)
    }
    const { filename, content } = await site.make()
    await site.copiesTo(openPlace({ kind: 'folder', folder })).bring()
    for (const name of others) expect(await readFile(path.join(folder, name), 'utf8')).toBe(name)
    expect((await readFile(path.join(folder, storedBackup(filename)))).equals(content)).toBe(true)
    expect(await readdir(path.join(folder, 'backups'))).toHaveLength(4)
  })

  test('a share that is not mounted is not replaced by a folder of this disk', async () => {
    const site = await openSite()
    const folder = path.join(await temporaryFolder(), 'share')
    const copies = site.copiesTo(openPlace({ kind: 'folder', folder }))
    const { filename } = await site.make()
    await copies.bring()
    expect(await site.copyFault()).toMatchObject({ code: 'elsewhere_unavailable' })
    expect(site.takeFaults()[0]).toContain('ENOENT')
    await mkdir(folder)
    site.clock.pass({ minutes: 5 })
    await copies.bring()
    expect(await site.copied()).toEqual([filename])
  })

  test('a share that is no longer mounted is not taken for an empty place, and nothing is forgotten', async () => {
    const site = await openSite()
    const folder = await temporaryFolder()
    const [mounted, away] = [path.join(folder, 'backups'), path.join(folder, 'elsewhere')]
    const copies = site.copiesTo(openPlace({ kind: 'folder', folder }))
    const first = await site.make()
    await copies.bring()
    await site.storage.remove(storedBackup(first.filename))
    await rename(mounted, away)
    site.clock.pass({ days: 1 })
    const second = await site.make()
    await copies.bring()
    expect(await site.copyFault()).toMatchObject({ code: 'elsewhere_empty' })
    expect(site.takeFaults()[0]).toContain('mount it')
    const sent = Readable.from([second.content], { objectMode: false })
    const about = { bytes: second.content.length, signal: unstopped, hasCopies: true }
    await expect(openPlace({ kind: 'folder', folder }).put(second.filename, sent, about)).rejects.toThrow()
    expect([await readdir(folder), await site.copied()]).toEqual([['elsewhere'], [first.filename]])
    await rename(away, mounted)
    site.clock.pass({ minutes: 5 })
    await copies.bring()
    expect(await readdir(mounted)).toEqual([first.filename, second.filename])
    expect([await site.copied(), await site.copyFault()]).toEqual([[first.filename, second.filename], null])
  })

  test('one without room for it gets no part of a copy, and the site keeps its backup', async () => {
    const site = await openSite()
    // 32 MB must stay free.
    const { folder } = await smallDisk({ megabytes: 34 })
    const content = randomBytes(3_000_000)
    const { filename } = await site.make({ content })
    await site.copiesTo(openPlace({ kind: 'folder', folder })).bring()
    expect(await site.copyFault()).toMatchObject({ code: 'elsewhere_unavailable' })
    expect(site.takeFaults()[0]).toContain('bytes are free where 3000000 come')
    expect(await readdir(path.join(folder, 'backups'))).toEqual([])
    expect((await site.storage.read(storedBackup(filename)))?.equals(content)).toBe(true)
  })

  test('what hangs is given up, and asked again', async () => {
    const folder = await temporaryFolder()
    const filename = backupName('complete', { at: new Date(0), dialect: 'sqlite', random: '0001', madeBy: 'night' })
    await mkdir(path.join(folder, 'backups'))
    // Nobody writes into it: who opens it waits for ever, as before a share that is away.
    execFileSync('mkfifo', [path.join(folder, storedBackup(filename))])
    const place = openPlace({ kind: 'folder', folder })
    const read = whileAlive({ idleLimit: 2_000 }, async ({ signal }) => buffer(await place.read(filename, signal)))
    await expect(read).rejects.toThrow('Nothing has got on')
    await place.remove(filename, unstopped)
    expect(await readdir(path.join(folder, 'backups'))).toEqual([])
  })

  test('a copy whose sender ends in the middle is none', async () => {
    const folder = await temporaryFolder()
    const place = openPlace({ kind: 'folder', folder })
    const filename = backupName('complete', { at: new Date(0), dialect: 'sqlite', random: '0001', madeBy: 'night' })
    const half = Readable.from([randomBytes(1_000)], { objectMode: false })
    await expect(place.put(filename, half, { bytes: 2_000, signal: unstopped })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('1000 bytes came where 2000 were announced') },
    })
    expect(await readdir(path.join(folder, 'backups'))).toEqual([])
  })
})

test('a place that is away is tried again later and later, and used when it is back', async () => {
  const site = await openSite()
  let isAway = true
  const { place } = await quickPlace(({ list }) => ({
    async list(signal) {
      if (isAway) throw new Error('away')
      return list(signal)
    },
  }))
  const copies = site.copiesTo(place)
  const { filename } = await site.make()
  for (const [tries, minutes] of [5, 15, 60, 60].entries()) {
    await copies.bring()
    // Too early.
    await copies.bring()
    const at = site.clock.now().toISOString()
    site.clock.pass({ minutes })
    const nextTryAt = site.clock.now().toISOString()
    expect(await site.copyFault()).toEqual({ code: 'elsewhere_unavailable', at, tries: tries + 1, nextTryAt })
  }
  expect(site.takeFaults()).toEqual(['away', 'away', 'away', 'away'])
  isAway = false
  await copies.bring()
  expect(await copies.describe()).toMatchObject({ fault: null, copied: { filename } })
})

test('a place that lies about what it keeps is noticed, and its copy is not kept', async () => {
  for (const used of [secret, undefined]) {
    const site = await openSite()
    let isLying = true
    const { place, names } = await quickPlace(({ read }) => ({
      async read(file, signal) {
        const content = await buffer(await read(file, signal))
        if (isLying) content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1
        return Readable.from([content], { objectMode: false })
      },
    }))
    const copies = site.copiesTo(place, used ? { secret: used } : {})
    const { filename, content } = await site.make()
    await copies.bring()
    expect(await site.copyFault()).toMatchObject({ code: 'copy_damaged', tries: 1 })
    expect([await names(), await site.copied()]).toEqual([[], []])
    expect((await site.storage.read(storedBackup(filename)))?.equals(content)).toBe(true)
    expect(site.takeFaults()).toHaveLength(1)
    isLying = false
    site.clock.pass({ minutes: 5 })
    await copies.bring()
    expect([await names(), await site.copied()]).toEqual([[used ? `${filename}.age` : filename], [filename]])
  }
})

test('a place that hangs is given up at each step, and the backup is copied when it answers again', async () => {
  const site = await openSite()
  const { filename } = await site.make()
  for (const step of ['list', 'put', 'read'] as const) {
    const { place } = await quickPlace(() => ({ [step]: () => new Promise<never>(() => {}) }))
    await site.copiesTo(place, { idleLimit: 100 }).bring()
    expect(await site.copyFault()).toMatchObject({ code: 'elsewhere_unavailable' })
    expect(site.takeFaults()).toEqual(['Nothing has got on for 100 ms.'])
    site.clock.pass({ hours: 1 })
  }
  const { place } = await quickPlace()
  await site.copiesTo(place).bring()
  expect([await site.copied(), await site.copyFault()]).toEqual([[filename], null])
})

test('a site that is being stopped gives up without calling it a failure', async () => {
  const site = await openSite()
  await site.make()
  const stopping = new AbortController()
  const { place } = await quickPlace(() => ({
    put() {
      stopping.abort()
      return new Promise<never>(() => {})
    },
  }))
  await site.copiesTo(place).bring(stopping.signal)
  expect([await site.copied(), await site.copyFault()]).toEqual([[], null])
})

test('a backup that has been damaged on the server is not copied, and the others are', async () => {
  const site = await openSite()
  const whole = await site.make()
  site.clock.pass({ days: 1 })
  const damaged = await site.make()
  await site.storage.put(storedBackup(damaged.filename), Buffer.from('not what it was'))
  const { place, names } = await quickPlace()
  const copies = site.copiesTo(place, { secret })
  await copies.bring()
  expect(await site.copyFault()).toMatchObject({ code: 'backup_damaged' })
  expect(await names()).toEqual([`${whole.filename}.age`])
  // It is not sent again, and counts as safe no more.
  expect([...(await listKnown(site.db)).keys()]).toEqual([whole.filename])
  site.clock.pass({ minutes: 5 })
  await copies.bring()
  expect([await site.copyFault(), site.takeFaults().length]).toEqual([null, 1])
})

test('a storage that fails while a backup is read is not blamed on the place', async () => {
  const site = await openSite()
  await site.make()
  const { place, names } = await quickPlace()
  async function* cut() {
    yield randomBytes(1_000)
    throw Object.assign(new Error('the disk went away'), { code: 'EIO' })
  }
  const storage = {
    ...site.storage,
    stream: async () => ({ content: Readable.from(cut(), { objectMode: false }), bytes: 100_000 }),
  }
  await createCopies({ ...site, storage, place, secret: undefined }).bring()
  expect(await site.copyFault()).toMatchObject({ code: 'unexpected' })
  expect([await names(), site.takeFaults()]).toEqual([[], ['the disk went away']])
})

test('of several processes one copies', async () => {
  const site = await openSite('postgres')
  const { filename } = await site.make()
  let puts = 0
  const { place, names } = await quickPlace(({ put }) => ({
    put(...copy) {
      puts += 1
      return put(...copy)
    },
  }))
  await Promise.all([1, 2, 3].map(() => site.copiesTo(place).bring()))
  expect([puts, await names()]).toEqual([1, [filename]])
})

test('after a week away the newest is copied first, and then what would be kept there', async () => {
  const site = await openSite()
  await changeCare(site.db, { keepDaily: 3, keepWeekly: 0, keepMonthly: 0 })
  const nights: string[] = []
  for (let night = 0; night < 7; night += 1) {
    nights.push((await site.make()).filename)
    site.clock.pass({ days: 1 })
  }
  const brought: string[] = []
  const { place } = await quickPlace(({ put }) => ({
    put(file, ...copy) {
      brought.push(file)
      return put(file, ...copy)
    },
  }))
  await site.copiesTo(place).bring()
  expect(brought).toEqual(nights.slice(-3).toReversed())
})

test('old copies go by the same rules, but never the newest whole one, nor what this site has not brought', async () => {
  const site = await openSite()
  await changeCare(site.db, { keepDaily: 2, keepWeekly: 0, keepMonthly: 0 })
  const { place, honest, names } = await quickPlace()
  const copies = site.copiesTo(place)
  const foreign = backupName('complete', { at: new Date(0), dialect: 'sqlite', random: 'abcd', madeBy: 'night' })
  await honest.put(foreign, Readable.from([Buffer.from('of another site')]), { bytes: 15, signal: unstopped })
  const whole = await site.make()
  const nights = [whole.filename]
  for (let night = 0; night < 5; night += 1) {
    await copies.bring()
    // The site itself keeps only the newest.
    for (const old of nights) await site.storage.remove(storedBackup(old))
    for (const old of nights) await forgetBackup(site.db, old)
    site.clock.pass({ days: 1 })
    nights.push((await site.make({ missingImages: 1 })).filename)
  }
  await copies.bring()
  expect(await names()).toEqual([foreign, whole.filename, ...nights.slice(-2)].toSorted())
  expect([...(await listKnown(site.db)).keys()].toSorted()).toEqual([whole.filename, ...nights.slice(-2)].toSorted())
})

test('another place is filled after the start that finds it, and one that cannot be used is told then', async () => {
  const site = await openSite()
  const [before, after] = [await quickPlace(), await quickPlace()]
  const { filename } = await site.make()
  await site.copiesTo(before.place).bring()
  await site.copiesTo(after.place).bring()
  expect([await before.names(), await after.names()]).toEqual([[filename], [filename]])
  const unusable = site.copiesTo({ ...after.place, list: () => Promise.reject(new Error('no such share')) })
  await unusable.bring()
  expect(await unusable.describe()).toMatchObject({ copied: { filename }, fault: { code: 'elsewhere_unavailable' } })
  expect(site.takeFaults()).toEqual(['no such share'])
})

test('what is gone from the place is copied again with the next night', async () => {
  const site = await openSite()
  const { place, honest, names } = await quickPlace()
  const copies = site.copiesTo(place)
  const nights: string[] = []
  for (let night = 0; night < 3; night += 1) {
    nights.push((await site.make()).filename)
    await copies.bring()
    if (night === 1) await honest.remove(nights[0] ?? '', unstopped)
    site.clock.pass({ days: 1 })
  }
  expect(await names()).toEqual(nights)
})

test('a place where nothing is left gets the newest again, and what was there before is forgotten only with the next night', async () => {
  const site = await openSite()
  const [right, wrong] = [await quickPlace(), await quickPlace()]
  const nights: string[] = []
  const bringAnother = async (copies: ReturnType<typeof site.copiesTo>) => {
    nights.push((await site.make()).filename)
    await copies.bring()
    site.clock.pass({ days: 1 })
  }
  const copies = site.copiesTo(right.place)
  await bringAnother(copies)
  await site.storage.remove(storedBackup(nights[0] ?? ''))
  await bringAnother(copies)
  const another = site.copiesTo(wrong.place)
  await another.bring()
  expect([await wrong.names(), await site.copied()]).toEqual([nights.slice(1), nights])
  // The mistake is mended.
  await site.copiesTo(right.place).bring()
  expect([await right.names(), await site.copied()]).toEqual([nights, nights])
  await bringAnother(another)
  expect([await wrong.names(), await site.copied()]).toEqual([nights.slice(1), nights.slice(1)])
})
