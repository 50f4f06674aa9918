import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { projectRoot } from '#server/own-program.ts'
import { aLongPng, aPhoto } from '#tests/photos.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { testLog } from '#tests/test-log.ts'
import { encoderProcess } from './encoder.ts'

type Options = Partial<Parameters<typeof encoderProcess>[0]>

function openEncoder(options: Options = {}) {
  const encoder = encoderProcess({
    file: path.join(projectRoot, 'server/features/images/encoder-entry.ts'),
    execArgv: ['--import', 'tsx'],
    log: testLog().log,
    ...options,
  })
  onTestFinished(() => encoder.stop())
  return encoder
}

/** A program in the encoder's place. */
async function program(source: string) {
  const file = path.join(await temporaryFolder(), 'program.mjs')
  await writeFile(file, source)
  return { file, execArgv: [] }
}

describe('the encoder in a process of its own', () => {
  test('prepares photos, makes variants, and refuses with the same sentences', async () => {
    const encoder = openEncoder()
    const prepared = await encoder.run('prepareImage', await aPhoto({ width: 800, height: 600 }))
    expect(prepared).toMatchObject({ contentType: 'image/jpeg', width: 800, height: 600 })
    const variant = await encoder.run('makeVariant', prepared.content, { width: 480, format: 'webp' })
    expect(await sharp(variant).metadata()).toMatchObject({ format: 'webp', width: 480 })

    const noPhoto = Buffer.from('no photo')
    await expect(encoder.run('prepareImage', noPhoto)).rejects.toMatchObject({
      code: 'not_an_image',
      message: 'That file is not a photo this site can read. Choose a JPEG, PNG, WebP, AVIF or GIF file.',
    })
    const heic = Buffer.from(`\0\0\0\x18ftypheic${'\0'.repeat(16)}`, 'latin1')
    await expect(encoder.run('prepareImage', heic)).rejects.toMatchObject({ code: 'heic_not_supported' })
    // What is no refusal comes as the library tells it.
    await expect(encoder.run('makeVariant', noPhoto, { width: 480, format: 'webp' })).rejects.toThrow(
      /unsupported image format/,
    )
  })

  test('is told none of our secrets', async () => {
    process.env.ADMIN_PASSWORD = 'not for the encoder'
    onTestFinished(() => {
      delete process.env.ADMIN_PASSWORD
    })
    const teller = await program(`process.on('message', () => process.send({ result: Object.keys(process.env) }))`)
    const environment: unknown = await openEncoder(teller).run('prepareImage', Buffer.alloc(0))
    expect(environment).toContain('MALLOC_ARENA_MAX')
    expect(environment).not.toContain('ADMIN_PASSWORD')
  })

  test('never goes before a site that itself runs with little priority', async () => {
    const { file } = await program(`
      import { getPriority } from 'node:os'
      process.on('message', () => process.send({ result: getPriority() }))
    `)
    const site = `
      import { encoderProcess } from './server/features/images/encoder.ts'
      const encoder = encoderProcess({ file: ${JSON.stringify(file)}, log: console })
      console.log(await encoder.run('prepareImage', Buffer.alloc(0)))
      await encoder.stop()
    `
    const args = ['-n', '10', process.execPath, '--import', 'tsx', '--input-type=module', '--eval', site]
    const { stdout } = await promisify(execFile)('nice', args, { cwd: projectRoot })
    expect(Number(stdout)).toBeGreaterThanOrEqual(10)
  })

  test('that is brought down by a file takes nothing else along, and the next file finds a new one', async () => {
    const fragile = await program(
      `process.on('message', ([, file]) => file.length ? process.send({ result: process.pid }) : process.kill(process.pid, 'SIGSEGV'))`,
    )
    const encoder = openEncoder(fragile)
    const first: unknown = await encoder.run('prepareImage', Buffer.from('fine'))
    await expect(encoder.run('prepareImage', Buffer.alloc(0))).rejects.toMatchObject({ code: 'image_broken' })
    const second: unknown = await encoder.run('prepareImage', Buffer.from('fine'))
    expect(second).toEqual(expect.any(Number))
    expect(second).not.toBe(first)
  })

  test('that could not be started is not waited for, and the next file finds a new one', async () => {
    const { execPath } = process
    onTestFinished(() => {
      process.execPath = execPath
    })
    const answering = await program(`process.on('message', () => process.send({ result: 'done' }))`)
    const encoder = openEncoder(answering)
    process.execPath = path.join(await temporaryFolder(), 'nowhere')
    await expect(encoder.run('prepareImage', Buffer.alloc(0))).rejects.toMatchObject({ code: 'ENOENT' })
    process.execPath = execPath
    expect(await encoder.run('prepareImage', Buffer.alloc(0))).toBe('done')
  })

  test('that never comes to an end is ended, and the next file finds a new one', async () => {
    const endless = await program(`process.on('message', ([, file]) => { if (file.length) process.send({ result: 'done' }) })`)
    const encoder = openEncoder({ ...endless, timeout: (name) => (name === 'prepareVisitorsImage' ? 1 : 120_000) })
    await expect(encoder.run('prepareVisitorsImage', Buffer.alloc(0))).rejects.toMatchObject({ code: 'image_too_slow' })
    expect(await encoder.run('prepareImage', Buffer.from('fine'))).toBe('done')
  })

  test('that takes more memory than any photo we accept ends, says so, and the next file finds a new one', async () => {
    const encoder = openEncoder()
    // Refused by its header where it is uploaded, and so decoded here as a stored one: 900 MB for one row.
    const bomb = aLongPng({ width: 8_000_000, height: 1 })
    await expect(encoder.run('makeVariant', bomb, { width: 480, format: 'webp' })).rejects.toMatchObject({
      code: 'image_needs_memory',
    })
    expect(await encoder.run('prepareImage', await aPhoto())).toMatchObject({ width: 64, height: 48 })
  })

  test('goes home when nothing is left to do, and comes back when something is', async () => {
    const encoder = openEncoder({
      ...(await program(`
        process.on('message', () => process.send({ result: process.pid }))
        process.on('disconnect', () => process.exit())
      `)),
      idleTimeout: 1,
    })
    const first = Number(await encoder.run('prepareImage', Buffer.alloc(0)))
    const isThere = () => {
      try {
        return process.kill(first, 0)
      } catch {
        return false
      }
    }
    await expect.poll(isThere, { timeout: 30_000 }).toBe(false)
    expect(await encoder.run('prepareImage', Buffer.alloc(0))).not.toBe(first)
  })

  test('a photo that comes while the last encoder is leaving is not lost', async () => {
    const slowToLeave = await program(`process.on('message', () => process.send({ result: process.pid }))`)
    const encoder = openEncoder({ ...slowToLeave, idleTimeout: 0 })
    const seen = new Set<unknown>()
    const photosInARow = async () => seen.add(await encoder.run('prepareImage', Buffer.alloc(0))).size
    await expect.poll(photosInARow, { interval: 1, timeout: 30_000 }).toBeGreaterThan(2)
  })
})
