import { rm } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { openFolder } from '#server/storage/folder.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { createHotFiles, type StoredContent } from './images.routes.ts'

const contentOf = async (stored: StoredContent | undefined) =>
  stored && (Buffer.isBuffer(stored.content) ? stored.content : await buffer(stored.content))

async function openHotFiles() {
  const root = await temporaryFolder()
  const storage = await openFolder(root)
  const forget = (name: string) => rm(path.join(root, name))
  return { storage, hotFiles: createHotFiles(storage), forget }
}

const kilobytes = (count: number) => Buffer.alloc(count * 1024, count)

describe('files that many visitors ask for', () => {
  test('are read from the store once', async () => {
    const { storage, hotFiles, forget } = await openHotFiles()
    await storage.put('variants/small', kilobytes(20))
    expect(await contentOf(await hotFiles.get('variants/small'))).toEqual(kilobytes(20))
    await forget('variants/small')
    expect(await hotFiles.get('variants/small')).toEqual({ content: kilobytes(20), bytes: 20 * 1024 })
  })

  test('are looked for again when they were not there yet', async () => {
    const { storage, hotFiles } = await openHotFiles()
    expect(await hotFiles.get('variants/late')).toBeUndefined()
    await storage.put('variants/late', kilobytes(1))
    expect(await contentOf(await hotFiles.get('variants/late'))).toEqual(kilobytes(1))
  })

  test('are not kept when they are large', async () => {
    const { storage, hotFiles, forget } = await openHotFiles()
    await storage.put('variants/large', kilobytes(200))
    expect(await contentOf(await hotFiles.get('variants/large'))).toEqual(kilobytes(200))
    await forget('variants/large')
    expect(await hotFiles.get('variants/large')).toBeUndefined()
  })

  test('make way for others when there are too many, those least asked for first', async () => {
    const { storage, hotFiles, forget } = await openHotFiles()
    const names = Array.from({ length: 60 }, (_, index) => `variants/${index}`)
    for (const name of names) await storage.put(name, kilobytes(180))
    for (const name of names) {
      await hotFiles.get(name)
      await hotFiles.get('variants/0')
    }
    for (const name of names) await forget(name)
    const kept = []
    for (const name of names) if (await hotFiles.get(name)) kept.push(name)
    expect(kept).toContain('variants/0')
    expect(kept).toContain('variants/59')
    expect(kept).not.toContain('variants/1')
    expect(kept.length * 180 * 1024).toBeLessThanOrEqual(8 * 1024 * 1024)
  })
})
