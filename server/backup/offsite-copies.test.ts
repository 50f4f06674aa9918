import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { BackupMaker } from '#contract/backups.ts'
import { daysBefore } from '#server/clock.ts'
import { type BackupSecret, type OffsiteSettings, readConfig } from '#server/config.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { connect } from '#server/storage/s3.ts'
import { hashOf } from '#tests/backups.ts'
import { smallDisk } from '#tests/small-disk.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { testClock } from '#tests/test-clock.ts'
import { openTestDatabase } from '#tests/test-database.ts'
import { testLog } from '#tests/test-log.ts'
import { openTestStorage, testBucket } from '#tests/test-storage.ts'
import { backupName, storedBackup } from './backup-names.ts'
import { forgetBackup, listCheckedBackups, recordChecked, updateBackupState } from './backup-state.ts'
import { withPlainFile } from './encryption.ts'
import { noProgress, type Progress } from './job.ts'
import { copyOffsite, describeOffsite, listWaiting, type OffsiteTarget, openTarget } from './offsite-copies.ts'

const secret: BackupSecret = { key: 'AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33' }

/** A site that has made backups, of which only their bytes matter here. */
async function openSite({ dialect = 'sqlite' as Dialect, backupSecret = undefined as BackupSecret | undefined } = {}) {
  const database = await openTestDatabase(dialect)
  const storage = await openTestStorage('folder')
  const clock = testClock('2026-05-01T03:00:00.000Z')
  const config = { ...readConfig({}), backupSecret }
  const parts = { config, database, storage, clock, log: testLog().log }
  const { db } = database
  let made = 0

  return {
    ...parts,
    db,
    copied: async () => {
      const copied = [...(await listCheckedBackups(db)).values()].filter(({ copiedAt }) => copiedAt !== null)
      return copied.map(({ filename }) => filename).toSorted()
    },
    isWaiting: async () => (await listWaiting(parts)).length > 0,

    async make({ madeBy = 'night' as BackupMaker, missingImages = 0, content = randomBytes(100_000) } = {}) {
      made += 1
      const random = String(made).padStart(4, '0')
      const filename = backupName('complete', { at: clock.now(), dialect, random, madeBy, missingImages })
      await storage.put(storedBackup(filename), content)
      await recordChecked(db, { filename, sha256: hashOf(content), checkedAt: clock.now().toISOString() })
      return { filename, content }
    },

    copyTo: (target: OffsiteTarget, progress: Progress = noProgress) => copyOffsite(parts, target, progress),
    /** What it is refused with. */
    failTo: (target: OffsiteTarget) =>
      copyOffsite(parts, target, noProgress).then(
        () => ({ code: 'copied', cause: '' }),
        ({ code, cause }) => ({ code, cause: String(cause) }),
      ),
  }
}

const openFolderTarget = (folder: string) => openTarget({ kind: 'folder', folder })
const namesIn = async (target: OffsiteTarget) =>
  (await target.list('backups')).map(({ name }) => path.basename(name)).toSorted()

/** A folder, and what is different about it. */
async function targetWith(changes: (target: OffsiteTarget) => Partial<OffsiteTarget> = () => ({})) {
  const honest = await openFolderTarget(await temporaryFolder())
  return { target: { ...honest, ...changes(honest) }, honest, names: () => namesIn(honest) }
}

const otherName = backupName('complete', { at: new Date(0), dialect: 'sqlite', random: 'abcd', madeBy: 'night' })

describe.each<[Dialect, OffsiteSettings['kind']]>([
  ['sqlite', 'folder'],
  ['postgres', 'bucket'],
])('on %s, in a %s', (dialect, kind) => {
  async function openSettings(): Promise<OffsiteSettings> {
    return kind === 'folder' ? { kind, folder: await temporaryFolder() } : { kind, bucket: await testBucket() }
  }

  test('the nightly backup is copied, encrypted, read back, and opened from there', async () => {
    const site = await openSite({ dialect, backupSecret: secret })
    const offsite = await openSettings()
    const target = await openTarget(offsite)
    const describeNow = () => describeOffsite({ ...site, config: { ...site.config, offsite } }, null)
    expect(await describeNow()).toEqual({ kind, encrypted: true, copied: null, fault: null })
    const { filename, content } = await site.make()
    const steps = new Map<string, number[]>()
    expect(await site.isWaiting()).toBe(true)
    await site.copyTo(target, (step, done, total) => steps.set(step, [done > 0 ? 1 : 0, total]))
    await site.make({ madeBy: 'person' })
    expect(await site.isWaiting()).toBe(false)
    expect([...steps]).toEqual([
      ['writing', [1, content.length]],
      ['checking', [1, content.length]],
    ])
    expect(await namesIn(target)).toEqual([`${filename}.age`])
    const copied = { filename, at: '2026-05-01T03:00:00.000Z', copiedAt: '2026-05-01T03:00:00.000Z' }
    expect(await describeNow()).toEqual({ kind, encrypted: true, copied, fault: null })
    const file = await target.open(storedBackup(`${filename}.age`))
    if (!file) throw new Error('It is not there.')
    const plain = await withPlainFile(file, { storage: site.storage, secret }, (opened) => opened.read(0, opened.bytes))
    expect(plain.equals(content)).toBe(true)
    await file.close()
  })
})

test('in a bucket, uploads that a killed process has left are aborted after a day', async () => {
  const bucket = await testBucket()
  const client = connect(bucket)
  const where = { Bucket: bucket.bucket, Prefix: bucket.prefix }
  const countHalves = async () => (await client.send(new ListMultipartUploadsCommand(where))).Uploads?.length ?? 0
  await client.send(new CreateMultipartUploadCommand({ Bucket: bucket.bucket, Key: `${bucket.prefix}backups/${otherName}` }))
  const site = await openSite()
  const target = await openTarget({ kind: 'bucket', bucket })
  await site.copyTo(target)
  expect(await countHalves()).toBe(1)
  vi.useFakeTimers({ toFake: ['Date'], now: daysBefore(new Date(), -2) })
  onTestFinished(() => void vi.useRealTimers())
  await site.copyTo(target)
  expect(await countHalves()).toBe(0)
})

describe('in a folder', () => {
  test('what others keep there is left alone, and only old halves are removed', async () => {
    const site = await openSite()
    const folder = await temporaryFolder()
    const [young, old] = [1, 2].map(() => `backups/.vitrina-${crypto.randomUUID()}.part`)
    const others = ['incoming/scan.pdf', 'backups/.stfolder', 'backups/notes.zip', young ?? '']
    for (const name of [...others, old ?? '']) {
      await mkdir(path.join(folder, path.dirname(name)), { recursive: true })
      await writeFile(path.join(folder, name), name)
    }
    await utimes(path.join(folder, old ?? ''), daysBefore(new Date(), 2), daysBefore(new Date(), 2))
    const { filename, content } = await site.make()
    await site.copyTo(await openFolderTarget(folder))
    for (const name of others) expect(await readFile(path.join(folder, name), 'utf8')).toBe(name)
    expect((await readFile(path.join(folder, storedBackup(filename)))).equals(content)).toBe(true)
    expect(await readdir(path.join(folder, 'backups'))).toHaveLength(4)
  })

  test('a share that is not mounted is not replaced by a folder of this disk', async () => {
    const site = await openSite()
    const folder = path.join(await temporaryFolder(), 'share')
    await site.make()
    expect(await site.failTo(await openFolderTarget(folder))).toEqual({
      code: 'elsewhere_unavailable',
      cause: expect.stringContaining('ENOENT'),
    })
    expect(await site.isWaiting()).toBe(true)
    await mkdir(folder)
    await site.copyTo(await openFolderTarget(folder))
    expect(await site.isWaiting()).toBe(false)
  })

  test('a share that is no longer mounted is not taken for an empty target, and nothing is forgotten', async () => {
    const site = await openSite()
    const folder = await temporaryFolder()
    const [mounted, away] = [path.join(folder, 'backups'), path.join(folder, 'elsewhere')]
    const target = await openFolderTarget(folder)
    const first = await site.make()
    await site.copyTo(target)
    await site.storage.remove(storedBackup(first.filename))
    await rename(mounted, away)
    site.clock.pass({ days: 1 })
    const second = await site.make()
    expect(await site.failTo(target)).toMatchObject({ code: 'elsewhere_empty' })
    // Also where it goes away after it was listed.
    const { folder: _folder, ...listed } = target
    const list = async () => [{ name: storedBackup(first.filename), bytes: 1, modifiedAt: new Date() }]
    expect(await site.failTo({ ...listed, list })).toMatchObject({ code: 'elsewhere_unavailable' })
    expect([await readdir(folder), await site.copied()]).toEqual([['elsewhere'], [first.filename]])
    await rename(away, mounted)
    await site.copyTo(target)
    expect(await readdir(mounted)).toEqual([first.filename, second.filename])
    expect(await site.copied()).toEqual([first.filename, second.filename])
  })

  test('one without room has no part of a copy, and the site keeps its backup', async () => {
    const site = await openSite()
    // 32 MB must stay free.
    const disk = await smallDisk({ megabytes: 34 })
    const target = await openFolderTarget(disk.folder)
    const content = randomBytes(3_000_000)
    const { filename } = await site.make({ content })
    expect((await site.failTo(target)).cause).toContain('bytes are free where 3000000 come')
    // Another program takes the room while it is written.
    async function* fill() {
      disk.fill()
      yield content
    }
    const filling = target.put(storedBackup(filename), Readable.from(fill(), { objectMode: false }))
    await expect(filling).rejects.toThrow('ENOSPC')
    disk.free()
    expect(await readdir(path.join(disk.folder, 'backups'))).toEqual([])
    expect((await site.storage.read(storedBackup(filename)))?.equals(content)).toBe(true)
  })
})

const lies = {
  'changes a byte of': (copy: Buffer) => copy.fill((copy.at(-1) ?? 0) ^ 1, copy.length - 1),
  'keeps a part of': (copy: Buffer) => copy.subarray(0, copy.length >> 1),
  'keeps nothing of': () => Buffer.alloc(0),
}
const liars = Object.entries(lies).flatMap(([name, lie]) => [secret, undefined].map((key) => [name, lie, key] as const))

test.each(liars)('a target that %s a copy is noticed, and its copy is not kept', async (_name, lie, backupSecret) => {
  const site = await openSite({ backupSecret })
  const { target, honest, names } = await targetWith(({ stream }) => ({
    async stream(name) {
      const { content = Readable.from([]) } = (await stream(name)) ?? {}
      const copy = lie(await buffer(content))
      return { content: Readable.from([copy], { objectMode: false }), bytes: copy.length }
    },
  }))
  const { filename, content } = await site.make()
  expect(await site.failTo(target)).toMatchObject({ code: 'copy_damaged' })
  expect([await names(), await site.copied()]).toEqual([[], []])
  expect((await site.storage.read(storedBackup(filename)))?.equals(content)).toBe(true)
  await site.copyTo(honest)
  expect([await names(), await site.copied()]).toEqual([[backupSecret ? `${filename}.age` : filename], [filename]])
})

test.each(['list', 'put', 'stream'] as const)(
  'a target that fails to %s is told so, and used when it is back',
  async (step) => {
    const site = await openSite()
    const { filename } = await site.make()
    const { target, honest } = await targetWith(() => ({ [step]: () => Promise.reject(new Error('away')) }))
    expect(await site.failTo(target)).toEqual({ code: 'elsewhere_unavailable', cause: 'Error: away' })
    expect(await site.isWaiting()).toBe(true)
    await site.copyTo(honest)
    expect(await site.copied()).toEqual([filename])
  },
)

test('a backup that has been damaged on the server is not copied, and with the next try the others are', async () => {
  const site = await openSite({ backupSecret: secret })
  const { target } = await targetWith()
  const first = await site.make()
  await site.copyTo(target)
  site.clock.pass({ days: 1 })
  const whole = await site.make()
  site.clock.pass({ days: 1 })
  const damaged = await site.make()
  await site.storage.put(storedBackup(damaged.filename), Buffer.from('not what it was'))
  // As after an older database was restored, which does not know of the copy.
  const copy = storedBackup(`${damaged.filename}.age`)
  await target.put(copy, Buffer.from('the good copy'))
  expect(await site.failTo(target)).toMatchObject({ code: 'backup_damaged' })
  expect(String(await target.read(copy))).toBe('the good copy')
  expect(await site.copied()).toEqual([first.filename])
  await site.copyTo(target)
  expect(await site.copied()).toEqual([first.filename, whole.filename])
  // It is not sent again, and counts as safe no more.
  expect([...(await listCheckedBackups(site.db)).keys()].toSorted()).toEqual([first.filename, whole.filename])
  expect(await site.isWaiting()).toBe(false)
})

test('a storage that fails while a backup is read is not blamed on the target', async () => {
  const site = await openSite()
  await site.make()
  const { target, names } = await targetWith()
  async function* cut() {
    yield randomBytes(1_000)
    throw Object.assign(new Error('the disk went away'), { code: 'EIO' })
  }
  const stream = async () => ({ content: Readable.from(cut(), { objectMode: false }), bytes: 100_000 })
  const storage = { ...site.storage, stream }
  for (const backupSecret of [secret, undefined]) {
    const copying = copyOffsite({ ...site, storage, config: { ...site.config, backupSecret } }, target, noProgress)
    await expect(copying).rejects.toMatchObject({ code: 'unexpected', cause: { message: 'the disk went away' } })
    expect(await names()).toEqual([])
  }
})

test('after a week away the newest is copied first, and then what would be kept there', async () => {
  const site = await openSite()
  await updateBackupState(site.db, { keepDaily: 3, keepWeekly: 0, keepMonthly: 0 })
  const nightly: string[] = []
  for (let night = 0; night < 7; night += 1) {
    nightly.push((await site.make()).filename)
    site.clock.pass({ days: 1 })
  }
  const sent: string[] = []
  const { target } = await targetWith(({ put }) => ({
    put(name, content) {
      sent.push(path.basename(name))
      return put(name, content)
    },
  }))
  await site.copyTo(target)
  expect(sent).toEqual(nightly.slice(-3).toReversed())
  expect(await site.isWaiting()).toBe(false)
})

test('old copies go by the same rules, but never the newest whole one, nor what this site has not copied', async () => {
  const site = await openSite()
  await updateBackupState(site.db, { keepDaily: 2, keepWeekly: 0, keepMonthly: 0 })
  const { target, names } = await targetWith()
  await site.copyTo(target)
  await target.put(storedBackup(otherName), Buffer.from('other'))
  const whole = await site.make()
  const nightly = [whole.filename]
  for (let night = 0; night < 5; night += 1) {
    await site.copyTo(target)
    // The site itself keeps only the newest.
    for (const old of nightly) await site.storage.remove(storedBackup(old))
    for (const old of nightly) await forgetBackup(site.db, old)
    site.clock.pass({ days: 1 })
    nightly.push((await site.make({ missingImages: 1 })).filename)
  }
  await site.copyTo(target)
  // The one before goes with the next copy.
  const kept = [whole.filename, ...nightly.slice(-3)]
  expect(await names()).toEqual([otherName, ...kept].toSorted())
  expect([...(await listCheckedBackups(site.db)).keys()].toSorted()).toEqual(kept.toSorted())
})

test('what is gone from the target is copied again, where it still is on the server', async () => {
  const site = await openSite()
  const { target, names } = await targetWith()
  const nightly: string[] = []
  for (let night = 0; night < 3; night += 1) {
    nightly.push((await site.make()).filename)
    await site.copyTo(target)
    site.clock.pass({ days: 1 })
  }
  await target.remove(storedBackup(nightly[1] ?? ''))
  await site.copyTo(target)
  expect(await names()).toEqual(nightly)
  await site.storage.remove(storedBackup(nightly[0] ?? ''))
  for (const file of nightly) await target.remove(storedBackup(file))
  await site.copyTo(target)
  expect([await names(), await site.copied()]).toEqual([nightly.slice(1), nightly.slice(1)])
})
