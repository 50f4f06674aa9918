import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { systemClock as clock } from '../clock.ts'
import { ConfigError } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import { createEncoder } from '../features/images/encoder.ts'
import { createImages } from '../features/images/image-store.ts'
import { runTask } from '../features/images/image-tasks.ts'
import { asProblem, Problem } from '../http/problem.ts'
import { keepFilesPrivate } from '../start/data-folder.ts'
import { openFolder } from '../storage/folder.ts'
import { openStorage } from '../storage/open-storage.ts'
import { openContactPhotos } from './archive/backup-photos.ts'
import { storedBackup } from './backup-names.ts'
import { createBackups } from './create-backups.ts'
import { type Difference, findDifference } from './find-difference.ts'
import type { RestoreTestOrder, RestoreTestResult } from './restore-test.ts'

/** Restores a backup into an empty site and compares the two. */
async function testBackup({ settings, filename, folder }: RestoreTestOrder): Promise<Difference | undefined> {
  const file = await (await openStorage(settings, { readOnly: true })).open(storedBackup(filename))
  if (!file) throw new Problem('backup_not_found')
  await mkdir(folder)
  const database = await openDatabase({ dataDir: folder })
  const storage = await openFolder(path.join(folder, 'files'))
  // In this process: a file that crashes the decoder ends the test, and nothing else.
  const encoder = createEncoder({ run: runTask })
  const images = createImages({ database, storage, clock, encoder, variants: { prepare() {} } })
  await createBackups({ database, storage, clock, images }).restoreComplete(file)
  const inquiryPhotos = openContactPhotos({ database, storage, judge: images.judge })
  return findDifference(file, { db: database.db, photos: { images, inquiryPhotos } })
}

function asResult(thrown: unknown): RestoreTestResult {
  if (thrown instanceof ConfigError) return { problem: 'storage_unavailable', details: undefined }
  const { code, details } = asProblem(thrown)
  if (code !== 'unexpected') return { problem: code, details }
  return { failure: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }
}

keepFilesPrivate()
process.once('message', async (order: RestoreTestOrder) => {
  // When memory runs short, the system kills this program and not the site.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
  process.send?.(
    await testBackup(order).then((difference): RestoreTestResult => ({ difference: difference ?? null }), asResult),
  )
})
// Ctrl+C reaches this program too; the site ends it, and then removes its folder.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())
