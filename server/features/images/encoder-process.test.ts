import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { projectRoot } from '#server/project-root.ts'
import { aPhoto } from '#tests/photos.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { testLog } from '#tests/test-log.ts'
import { encoderProcess } from './encoder-process.ts'

type Options = Partial<Parameters<typeof encoderProcess>[0]>

function openWorkshop(options: Options = {}) {
  const workshop = encoderProcess({
    file: path.join(projectRoot, 'server/features/images/encoder-entry.ts'),
    execArgv: ['--import', 'tsx'],
    log: testLog().log,
    ...options,
  })
  onTestFinished(() => workshop.stop())
  return workshop
}

/** A program in the encoder's place. */
async function program(source: string) {
  const file = path.join(await temporaryFolder(), 'program.mjs')
  await writeFile(file, source)
  return { file, execArgv: [] }
}

describe('the encoder in a process of its own', () => {
  test('prepares photos and makes copies', async () => {
    const workshop = openWorkshop()
    const prepared = await workshop.prepareImage(await aPhoto({ width: 800, height: 600 }))
    expect(prepared).toMatchObject({ contentType: 'image/jpeg', width: 800, height: 600 })
    const copy = await workshop.copyImage(prepared.content, { width: 480, format: 'webp' })
    expect(await sharp(copy).metadata()).toMatchObject({ format: 'webp', width: 480 })
  })

  test('refuses with the same sentences', async () => {
    await expect(openWorkshop().prepareImage(Buffer.from('no photo'))).rejects.toMatchObject({
      code: 'not_an_image',
      message: 'That file is not a photo we can read. Choose a JPEG, PNG, WebP, AVIF or GIF file.',
    })
  })

  test('reports what nobody expected as what it is', async () => {
    await expect(openWorkshop().copyImage(Buffer.from('no photo'), { width: 480, format: 'webp' })).rejects.toThrow(
      /unsupported image format/,
    )
  })

  test('is told none of our secrets', async () => {
    process.env.ADMIN_PASSWORD = 'not for the encoder'
    onTestFinished(() => {
      delete process.env.ADMIN_PASSWORD
    })
    const teller = await program(`process.on('message', () => process.send({ result: Object.keys(process.env) }))`)
    const told: unknown = await openWorkshop(teller).prepareImage(Buffer.alloc(0))
    expect(told).toContain('MALLOC_ARENA_MAX')
    expect(told).not.toContain('ADMIN_PASSWORD')
  })

  test('never goes before a site that itself runs with little priority', async () => {
    const { file } = await program(`
      import { getPriority } from 'node:os'
      process.on('message', () => process.send({ result: getPriority() }))
    `)
    const site = `
      import { encoderProcess } from '#server/features/images/encoder-process.ts'
      const workshop = encoderProcess({ file: ${JSON.stringify(file)}, log: console })
      console.log(await workshop.prepareImage(Buffer.alloc(0)))
      await workshop.stop()
    `
    const words = ['-n', '10', process.execPath, '--import', 'tsx', '--input-type=module', '--eval', site]
    const { stdout } = await promisify(execFile)('nice', words, { cwd: projectRoot })
    expect(Number(stdout)).toBeGreaterThanOrEqual(10)
  })

  test('that is brought down by a file takes nothing else along, and the next file finds a new one', async () => {
    const fragile = await program(
      `process.on('message', ({ given: [file] }) => file.length ? process.send({ result: process.pid }) : process.kill(process.pid, 'SIGKILL'))`,
    )
    const workshop = openWorkshop(fragile)
    const first: unknown = await workshop.prepareImage(Buffer.from('fine'))
    await expect(workshop.prepareImage(Buffer.alloc(0))).rejects.toMatchObject({ code: 'image_broken' })
    const second: unknown = await workshop.prepareImage(Buffer.from('fine'))
    expect(second).toEqual(expect.any(Number))
    expect(second).not.toBe(first)
  })

  test('that could not be started is not waited for, and the next file finds a new one', async () => {
    const { execPath } = process
    onTestFinished(() => {
      process.execPath = execPath
    })
    const answering = await program(`process.on('message', () => process.send({ result: 'done' }))`)
    const workshop = openWorkshop(answering)
    process.execPath = path.join(await temporaryFolder(), 'nowhere')
    await expect(workshop.prepareImage(Buffer.alloc(0))).rejects.toMatchObject({ code: 'ENOENT' })
    process.execPath = execPath
    expect(await workshop.prepareImage(Buffer.alloc(0))).toBe('done')
  })

  test('that never comes to an end is ended', async () => {
    const endless = await program(`process.on('message', () => {})`)
    await expect(openWorkshop({ ...endless, patience: 1 }).prepareImage(Buffer.alloc(0))).rejects.toMatchObject({
      code: 'image_broken',
    })
  })

  test('goes home when nothing is left to do, and comes back when something is', async () => {
    const workshop = openWorkshop({
      ...(await program(`
        process.on('message', () => process.send({ result: process.pid }))
        process.on('disconnect', () => process.exit())
      `)),
      restAfter: 1,
    })
    const first = Number(await workshop.prepareImage(Buffer.alloc(0)))
    const isThere = () => {
      try {
        return process.kill(first, 0)
      } catch {
        return false
      }
    }
    await expect.poll(isThere, { timeout: 30_000 }).toBe(false)
    expect(await workshop.prepareImage(Buffer.alloc(0))).not.toBe(first)
  })

  test('a photo that comes while the last encoder is leaving is not lost', async () => {
    const slowToLeave = await program(`process.on('message', () => process.send({ result: process.pid }))`)
    const workshop = openWorkshop({ ...slowToLeave, restAfter: 0 })
    const seen = new Set<unknown>()
    const photosInARow = async () => seen.add(await workshop.prepareImage(Buffer.alloc(0))).size
    await expect.poll(photosInARow, { interval: 1, timeout: 30_000 }).toBeGreaterThan(2)
  })
})
