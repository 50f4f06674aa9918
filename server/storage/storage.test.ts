import { access, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { openFolder } from './folder.ts'

describe('a folder as storage', () => {
  test('gives back what was put there, whole or as a stream', async () => {
    const storage = await openFolder(await temporaryFolder())
    await storage.put('objects/one', Buffer.from('first'))
    await storage.put('objects/two', Readable.from([Buffer.from('sec'), Buffer.from('ond')]))
    expect(await storage.read('objects/one')).toEqual(Buffer.from('first'))
    const stream = await storage.stream('objects/two')
    expect(stream?.bytes).toBe(6)
    expect(stream && (await buffer(stream.content))).toEqual(Buffer.from('second'))
  })

  test('says plainly that something is not there', async () => {
    const storage = await openFolder(await temporaryFolder())
    expect(await storage.read('objects/nothing')).toBeUndefined()
    expect(await storage.stream('objects/nothing')).toBeUndefined()
    expect(await storage.has('objects/nothing')).toBe(false)
    expect(await storage.list('nothing')).toEqual([])
    await storage.remove('objects/nothing')
  })

  test('lists a folder and forgets what is removed', async () => {
    const storage = await openFolder(await temporaryFolder())
    await storage.put('backups/a.json', Buffer.from('{}'))
    await storage.put('backups/b.json', Buffer.from('[1]'))
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

  test('keeps nothing of what arrived only in part', async () => {
    const root = await temporaryFolder()
    const storage = await openFolder(root)
    const failing = Readable.from(
      (async function* () {
        yield Buffer.from('half')
        throw new Error('the line went dead')
      })(),
    )
    await expect(storage.put('objects/half', failing)).rejects.toThrow('the line went dead')
    expect(await storage.has('objects/half')).toBe(false)
    expect(await readdir(path.join(root, 'incoming'))).toEqual([])
  })

  test('keeps the old content when the new one arrives only in part', async () => {
    const storage = await openFolder(await temporaryFolder())
    await storage.put('objects/kept', Buffer.from('old'))
    const failing = Readable.from(
      (async function* () {
        yield Buffer.from('new')
        throw new Error('the line went dead')
      })(),
    )
    await expect(storage.put('objects/kept', failing)).rejects.toThrow()
    expect(await storage.read('objects/kept')).toEqual(Buffer.from('old'))
  })

  test('clears away what a stopped process left half-written', async () => {
    const root = await temporaryFolder()
    await mkdir(path.join(root, 'incoming'))
    await writeFile(path.join(root, 'incoming', 'left-over'), 'half')
    await openFolder(root)
    expect(await readdir(path.join(root, 'incoming'))).toEqual([])
  })

  test('leaves alone what another process is still writing', async () => {
    const root = await temporaryFolder()
    const busy = `${process.ppid}-0a1b2c3d-half`
    await mkdir(path.join(root, 'incoming'))
    await writeFile(path.join(root, 'incoming', busy), 'half')
    await writeFile(path.join(root, 'incoming', `${process.pid}-0a1b2c3d-half`), 'of an earlier process with our number')
    await openFolder(root)
    expect(await readdir(path.join(root, 'incoming'))).toEqual([busy])
  })

  test('takes over a finished file', async () => {
    const root = await temporaryFolder()
    const storage = await openFolder(root)
    const finished = path.join(root, 'finished')
    await writeFile(finished, 'whole')
    await storage.putFile('backups/a.zip', finished)
    expect(await storage.read('backups/a.zip')).toEqual(Buffer.from('whole'))
    await expect(access(finished)).rejects.toThrow('ENOENT')
  })

  test.each(['../outside', '/etc/passwd', 'objects/../../outside', 'objects//x', '.hidden', 'objects/.hidden', 'a\\b', ''])(
    'takes no name that leads elsewhere: %j',
    async (name) => {
      const storage = await openFolder(await temporaryFolder())
      const attempts = [
        () => storage.put(name, Buffer.from('x')),
        () => storage.putFile(name, 'x'),
        () => storage.read(name),
        () => storage.stream(name),
        () => storage.has(name),
        () => storage.list(name),
        () => storage.remove(name),
      ]
      for (const attempt of attempts) await expect((async () => attempt())()).rejects.toThrow('Not a name for a stored file')
    },
  )
})
