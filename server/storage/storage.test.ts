import { randomBytes } from 'node:crypto'
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { smallDisk } from '#tests/small-disk.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { openTestStorage, storages } from '#tests/test-storage.ts'
import { openFolder } from './folder.ts'
import { openUnfinished } from './unfinished.ts'

const lineGoneDead = () =>
  Readable.from(
    (async function* () {
      yield Buffer.from('half')
      throw new Error('the line went dead')
    })(),
  )

describe.each(storages)('in storage of the kind %s', (kind) => {
  const open = () => openTestStorage(kind)

  test('what was put there comes back, whole or as a stream', async () => {
    const storage = await open()
    await storage.put('objects/one', Buffer.from('first'))
    await storage.put('objects/two', Readable.from([Buffer.from('sec'), Buffer.from('ond')]))
    expect(await storage.read('objects/one')).toEqual(Buffer.from('first'))
    const stream = await storage.stream('objects/two')
    expect(stream?.bytes).toBe(6)
    expect(stream && (await buffer(stream.content))).toEqual(Buffer.from('second'))
  })

  test('a file is moved, and one that is not there is not missed', async () => {
    const storage = await open()
    await storage.put('objects/one', Buffer.from('first'), { contentType: 'image/jpeg' })
    await storage.move('objects/one', 'aside/one')
    await storage.move('objects/none', 'aside/none')
    expect(await storage.read('aside/one')).toEqual(Buffer.from('first'))
    expect([await storage.has('objects/one'), await storage.has('aside/none')]).toEqual([false, false])
  })

  test('nothing at all can be put and comes back', async () => {
    const storage = await open()
    await storage.put('objects/none', Buffer.alloc(0))
    await storage.put('objects/no-stream', Readable.from([]))
    expect(await storage.read('objects/none')).toEqual(Buffer.alloc(0))
    expect(await storage.read('objects/no-stream')).toEqual(Buffer.alloc(0))
  })

  test('a file is read here and there', async () => {
    const storage = await open()
    await storage.put('backups/a.zip', Buffer.from('0123456789'))
    const file = await storage.open('backups/a.zip')
    expect(file?.bytes).toBe(10)
    expect(await file?.read(7, 3)).toEqual(Buffer.from('789'))
    await expect(file?.read(8, 5)).rejects.toThrow()
    await file?.close()
  })

  test('what is not there is said plainly not to be', async () => {
    const storage = await open()
    expect(await storage.read('objects/nothing')).toBeUndefined()
    expect(await storage.stream('objects/nothing')).toBeUndefined()
    expect(await storage.open('objects/nothing')).toBeUndefined()
    expect(await storage.has('objects/nothing')).toBe(false)
    expect(await storage.list('nothing')).toEqual([])
    await storage.remove('objects/nothing')
  })

  test('a folder is listed without the others, and what is removed is forgotten', async () => {
    const storage = await open()
    await storage.put('backups/a.json', Buffer.from('{}'))
    await storage.put('backups/b.json', Buffer.from('[1]'))
    await storage.put('backups/deeper/d.json', Buffer.from('deeper'))
    await storage.put('objects/c', Buffer.from('elsewhere'))
    const listed = (await storage.list('backups')).toSorted((a, b) => a.name.localeCompare(b.name))
    expect(listed).toEqual([
      { name: 'backups/a.json', bytes: 2, modifiedAt: expect.any(Date) },
      { name: 'backups/b.json', bytes: 3, modifiedAt: expect.any(Date) },
    ])
    await storage.remove('backups/a.json')
    expect(await storage.has('backups/a.json')).toBe(false)
    expect(await storage.has('backups/b.json')).toBe(true)
  })

  test('nothing is kept of what arrived only in part, and the sender learns why', async () => {
    const storage = await open()
    // Many at once: what removes half a file must not be faster than what makes it.
    const puts = Array.from({ length: 100 }, (_, number) => storage.put(`objects/half-${number}`, lineGoneDead()))
    const dead = { status: 'rejected', reason: new Error('the line went dead') }
    expect(await Promise.allSettled(puts)).toEqual(puts.map(() => dead))
    expect(await storage.list('objects')).toEqual([])
    expect(await storage.list('incoming')).toEqual([])
  })

  test('the old content is kept when the new one arrives only in part', async () => {
    const storage = await open()
    await storage.put('objects/kept', Buffer.from('old'))
    await expect(storage.put('objects/kept', lineGoneDead())).rejects.toThrow('the line went dead')
    expect(await storage.read('objects/kept')).toEqual(Buffer.from('old'))
  })

  test('a draft is read before it gets a name, and has only that name afterwards', async () => {
    const storage = await open()
    const content = randomBytes(100_000)
    const draft = storage.newDraft()
    await draft.write(Readable.from([content.subarray(0, 70_000), content.subarray(70_000)]))
    const file = await draft.open()
    expect(file.bytes).toBe(content.length)
    expect(await file.read(69_000, 2_000)).toEqual(content.subarray(69_000, 71_000))
    await file.close()
    expect(await storage.list('backups')).toEqual([])
    await draft.keepAs('backups/a.zip')
    await draft.drop()
    expect(await storage.read('backups/a.zip')).toEqual(content)
    expect(await storage.list('incoming')).toEqual([])
  })

  test('a draft that is dropped leaves nothing', async () => {
    const storage = await open()
    const draft = storage.newDraft()
    await draft.write(Readable.from([Buffer.from('for nothing')]))
    await draft.drop()
    expect(await storage.list('incoming')).toEqual([])
  })

  test('a draft that was never finished is cleared away when it is old', async () => {
    const storage = await open()
    await storage.newDraft().write(Readable.from([Buffer.from('left behind')]))
    const hour = 60 * 60 * 1000
    await storage.clearUnfinished(new Date(Date.now() - hour))
    expect(await storage.list('incoming')).toHaveLength(1)
    await storage.clearUnfinished(new Date(Date.now() + hour))
    expect(await storage.list('incoming')).toEqual([])
  })

  test('all is well while it answers', async () => {
    const storage = await open()
    await storage.check()
    expect(await storage.freeBytes()).toBeGreaterThan(0)
  })

  test.each(['../outside', '/etc/passwd', 'objects/../../outside', 'objects//x', '.hidden', 'objects/.hidden', 'a\\b', ''])(
    'no name leads elsewhere: %j',
    async (name) => {
      const storage = await open()
      const attempts = [
        () => storage.put(name, Buffer.from('x')),
        () => storage.read(name),
        () => storage.stream(name),
        () => storage.open(name),
        () => storage.has(name),
        () => storage.list(name),
        () => storage.remove(name),
      ]
      for (const attempt of attempts) await expect((async () => attempt())()).rejects.toThrow('Not a name for a stored file')
    },
  )
})

describe('a folder that is opened', () => {
  test('is cleared of what a stopped process left half-written', async () => {
    const root = await temporaryFolder()
    await mkdir(path.join(root, 'incoming'))
    await writeFile(path.join(root, 'incoming', 'left-over'), 'half')
    await openFolder(root)
    expect(await readdir(path.join(root, 'incoming'))).toEqual([])
  })

  test('keeps what another process is still writing, whatever process ids say, and is cleared of it once that has ended', async () => {
    const folder = path.join(await temporaryFolder(), 'incoming')
    const other = await openUnfinished(folder)
    await writeFile(path.join(folder, '4999999-0a1b2c3d-half'), 'half')
    const meanwhile = await openUnfinished(folder)
    meanwhile.release()
    expect(await readdir(folder)).toHaveLength(1)
    other.release()
    const afterwards = await openUnfinished(folder)
    afterwards.release()
    expect(await readdir(folder)).toEqual([])
  })

  test('is listed while others put and remove in it', async () => {
    const folder = await openFolder(await temporaryFolder())
    await folder.put('backups/stays.json', Buffer.from('{}'))
    let busy = true
    const comeAndGo = async (name: string) => {
      for (let round = 0; round < 5; round++) {
        await folder.put(name, Buffer.from('{}'))
        await folder.remove(name)
      }
    }
    const names = Array.from({ length: 10 }, (_, number) => `backups/${number}.json`)
    const others = Promise.all(names.map(comeAndGo)).finally(() => {
      busy = false
    })
    while (busy) expect((await folder.list('backups')).map(({ name }) => name)).toContain('backups/stays.json')
    await others
  })
})

test('a folder on another disk takes files like the others', async () => {
  const { folder: otherDisk } = await smallDisk()
  const root = path.join(await temporaryFolder(), 'files')
  const storage = await openFolder(root)
  await symlink(otherDisk, path.join(root, 'backups'))
  await storage.put('backups/put.zip', Buffer.from('put'))
  const draft = storage.newDraft()
  await draft.write(Readable.from([Buffer.from('kept')]))
  const reports: number[] = []
  await draft.keepAs('backups/kept.zip', () => reports.push(1))
  expect(reports).toEqual([1])
  await draft.drop()
  expect((await readdir(otherDisk)).toSorted()).toEqual(['kept.zip', 'put.zip'])
  expect(await storage.read('backups/kept.zip')).toEqual(Buffer.from('kept'))
  expect(await readdir(path.join(root, 'incoming'))).toEqual([])
})
