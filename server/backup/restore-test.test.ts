import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Dialect } from '#server/database/dialect.ts'
import { createImages } from '#server/features/images/image-store.ts'
import { freeBytesAt } from '#server/storage/disk.ts'
import { openBucket } from '#server/storage/s3.ts'
import { aStoredPhoto, everythingIn, fill } from '#tests/backups.ts'
import { aStoredProject, storeProject } from '#tests/factories.ts'
import { openTestApp, sites } from '#tests/test-app.ts'
import { type StorageKind, testBucket } from '#tests/test-storage.ts'
import { hasBackupFault, readBackupJobs } from './backup-jobs.ts'
import { storedBackup } from './backup-names.ts'
import { createBackups } from './create-backups.ts'
import { createRestoreTests } from './restore-test.ts'

async function openSite(dialect: Dialect = 'sqlite', kind: StorageKind = 'folder', program?: { file: string }) {
  const bucket = kind === 's3' ? await testBucket() : undefined
  const site = await openTestApp(dialect, bucket && { storage: await openBucket(bucket) })
  const settings = { dataDir: site.dataDir, databaseUrl: undefined, bucket }
  const restoreTests = createRestoreTests({ ...site, settings, ...(program && { program }) })
  await site.db.updateTable('site').set({ createdAt: site.clock.now().toISOString() }).execute()
  await fill(site)
  await storeProject(site.db, { ...aStoredProject({ title: 'In the trash' }), deletedAt: '2026-04-30T00:00:00.000Z' })
  await storeProject(site.db, aStoredProject({ title: 'A draft', draft: true }))
  const { filename } = await createBackups({ ...site, images: createImages(site) }).keepComplete({ madeBy: 'night' })
  site.clock.pass({ days: 1 })
  return {
    ...site,
    restoreTests,
    filename,
    trial: async () => (await readBackupJobs(site.db)).trial,
    beingTried: () => readdir(path.join(site.dataDir, 'unfinished')),
  }
}

/** A program in the place of ours. */
async function programThat({ dataDir }: { dataDir: string }, does: string) {
  const file = path.join(dataDir, 'program.mjs')
  await writeFile(file, does)
  return { file }
}

describe.each(sites)('a backup of a site on %s and %s', (dialect, kind) => {
  test('is restored into a site of its own once a month, and found to be what it was made of', async () => {
    const site = await openSite(dialect, kind)
    const before = await everythingIn(site)
    const at = site.clock.now().toISOString()
    // Of a process that was killed.
    await mkdir(path.join(site.dataDir, 'unfinished/4999999-left/files'), { recursive: true })
    await Promise.all([site.restoreTests.runIfDue(), site.restoreTests.runIfDue()])
    expect(await site.trial()).toEqual({ filename: site.filename, at, fault: null })
    expect(await everythingIn(site)).toEqual(before)
    expect(await site.beingTried()).toEqual([])

    site.clock.pass({ days: 29 })
    await site.restoreTests.runIfDue()
    expect(await site.trial()).toMatchObject({ at })
  })
})

test('a backup that is damaged is noted and logged, to be tried again the next day', async () => {
  const site = await openSite()
  const stored = path.join(site.dataDir, 'files', storedBackup(site.filename))
  const archive = await readFile(stored)
  const { content, hash } = await aStoredPhoto(1)
  archive.set([(content.at(-1) ?? 0) ^ 1], archive.indexOf(content) + content.length - 1)
  await writeFile(stored, archive)
  await site.restoreTests.runIfDue()
  const at = site.clock.now().toISOString()
  const nextTryAt = new Date(site.clock.now().getTime() + 24 * 60 * 60 * 1000).toISOString()
  const details = expect.objectContaining({ photo: hash })
  const fault = { code: 'trial_differs', details, at, tries: 1, nextTryAt }
  expect(await site.trial()).toEqual({ filename: site.filename, at, fault })
  expect(site.takeLoggedProblems()).toMatchObject([{ filename: site.filename, problem: 'archive_refused' }])
})

test('without room for it nothing is tried, and that is said', async () => {
  const site = await openSite()
  const stored = path.join(site.dataDir, 'files', storedBackup(site.filename))
  await truncate(stored, (await freeBytesAt(site.dataDir)) + 1_000_000_000)
  await site.restoreTests.runIfDue()
  const details = { neededMegabytes: expect.any(Number), freeMegabytes: expect.any(Number) }
  expect(await site.trial()).toMatchObject({ fault: { code: 'disk_full', details } })
  expect(site.takeLoggedProblems()).toHaveLength(1)
  // It is for want of room, and not of a good backup.
  expect(await hasBackupFault(site.db, { isCopied: false })).toBe(false)
})

test.each<StorageKind>(['folder', 's3'])(
  'with a %s the program knows no more than it needs to read the backup',
  async (kind) => {
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('AWS_PROFILE', 'models')
    vi.stubEnv('https_proxy', 'http://proxy.example')
    vi.stubEnv('ADMIN_PASSWORD', 'secret')
    const telling = 'process.on("message", () => process.send({ failure: Object.keys(process.env).join(" ") }))'
    const site = await openSite('sqlite', kind, await programThat(await openTestApp('sqlite'), telling))
    await site.restoreTests.runIfDue()
    const [{ failure = '' } = {}] = site.takeLoggedProblems() as { failure?: string }[]
    const known = failure.split(' ').filter((name) => ['AWS_PROFILE', 'https_proxy', 'HOME', 'ADMIN_PASSWORD'].includes(name))
    expect(known.toSorted()).toEqual(kind === 's3' ? ['AWS_PROFILE', 'HOME', 'https_proxy'] : [])
    expect(failure).toContain('PATH')
  },
)

test('a program that is killed takes nothing with it', async () => {
  const killed = 'process.on("message", ({ folder }) => process.kill(process.pid, "SIGKILL"))'
  const site = await openSite('sqlite', 'folder', await programThat(await openTestApp('sqlite'), killed))
  await site.restoreTests.runIfDue()
  expect(await site.trial()).toMatchObject({ fault: { code: 'unexpected', tries: 1 } })
  expect(site.takeLoggedProblems()).toMatchObject([{ failure: 'The program ended with SIGKILL.' }])
})

test('a site that stops takes the program with it, and notes nothing', async () => {
  const endless = `
    import { mkdirSync, writeFileSync } from 'node:fs'
    process.on('message', ({ folder }) => {
      mkdirSync(folder)
      writeFileSync(folder + '/pid', String(process.pid))
    })`
  const site = await openSite('sqlite', 'folder', await programThat(await openTestApp('sqlite'), endless))
  const stopping = new AbortController()
  const running = site.restoreTests.runIfDue(stopping.signal)
  await expect.poll(() => site.beingTried().catch(() => [])).toHaveLength(1)
  stopping.abort()
  await running
  expect(await site.beingTried()).toEqual([])
  expect(await site.trial()).toBeNull()
})
