import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { backups as texts } from '#content/en/backups.ts'
import { changeBackupSettings, readBackupStatus } from '#contract/backup-status.ts'
import {
  backupMaker,
  backupType,
  createCompleteBackup,
  createDatabaseBackup,
  deleteBackup,
  downloadBackup,
  exportData,
  importData,
  listBackups,
  missingFromBackup,
  recordsMissingFrom,
  restoreComplete,
} from '#contract/backups.ts'
import {
  applyMerge,
  beginBackupUpload,
  dropBackupUpload,
  previewMerge,
  putReportAway,
  type RestoredReport,
  sendBackupPart,
  undoMerge,
} from '#contract/restores.ts'

import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import { encryptedEnding } from './age.rules.ts'
import { listCheckedBackups, markBackupTaken, updateBackupJobs } from './backup-jobs.ts'
import { contentTypeOf } from './backup-names.ts'
import { openEncryption } from './encrypt.ts'
import { receiveArchive, receiveExport } from './restore/receive-upload.ts'
import { lastWhole } from './retention.rules.ts'

import { deleteBackup as removeBackup } from './retention.ts'

type Parts = Pick<Site, 'config' | 'database' | 'storage' | 'clock' | 'log' | 'backups'>

export async function backupRoutes(app: FastifyInstance, site: Parts) {
  app.decorate('backups', site.backups)
  // Not with the first backup: an update may have replaced the files of the program by then.
  app.addHook('onListen', () => {
    site.backups
      .openBackups()
      .catch((error: unknown) => site.log.error({ err: error }, 'the code for backups cannot be loaded'))
  })
  makeAndDownload(app, site)
  scheduleAndRetention(app, site)
  await mergeWholeFiles(app, site)
  await mergeWithPreview(app, site)
}

function makeAndDownload(app: FastifyInstance, { config, database: { db }, clock, log, backups: { openBackups } }: Parts) {
  const { backupSecret: secret } = config

  /** A complete backup has been downloaded to its end. */
  function onCompleteTaken() {
    markBackupTaken(db, clock.now().toISOString()).catch((error: unknown) =>
      log.error({ err: error }, 'the download of a backup could not be recorded'),
    )
  }

  serve(app, listBackups, async () => {
    const backups = await openBackups()
    const [files, checked] = await Promise.all([backups.list(), listCheckedBackups(db)])
    const last = lastWhole(files.map(({ filename }) => filename))
    return {
      backups: files.map(({ filename }) => filename),
      files: files.map((file) => ({
        ...file,
        missingImages: missingFromBackup(file.filename),
        missingRecords: recordsMissingFrom(file.filename),
        madeBy: backupMaker(file.filename),
        copiedAt: checked.get(file.filename)?.copiedAt ?? null,
        isLast: file.filename === last,
      })),
    }
  })

  serve(app, createDatabaseBackup, async () => {
    const backups = await openBackups()
    return { message: 'Database backup created successfully', ...(await backups.keepDatabase()) }
  })

  serve(app, exportData, async ({ reply }) => {
    const backups = await openBackups()
    const { filename, leftOut } = await backups.keepExport()
    const kept = await backups.read(filename)
    if (!kept) throw new Problem('backup_not_found')
    return reply
      .type(contentTypeOf(filename))
      .send(Readable.from(answerWith(kept.content, { filename, leftOut }), { objectMode: false }))
  })

  serve(app, createCompleteBackup, async () => {
    const backups = await openBackups()
    const made = await backups.keepComplete()
    const { done, missing } = texts.complete
    const { missingImages, missingFrom, missingFromMessages, missingRecords, leftOut } = made
    const withoutPhotos = missingImages > 0 ? [missing(missingImages, missingFrom, missingFromMessages)] : []
    const warnings = [...withoutPhotos, ...(missingRecords > 0 ? [texts.leftOut(leftOut)] : [])]
    return { message: warnings.join(' ') || done, ...made }
  })

  serve(app, downloadBackup, async ({ params: { filename }, request, reply }) => {
    const backups = await openBackups()
    const stored = await backups.read(filename)
    if (!stored) throw new Problem('backup_not_found')
    const { content, bytes } = secret ? await openEncryption(secret).encrypt(stored.content, stored.bytes) : stored
    // Not for HEAD, and not where the connection ends before the file does.
    if (request.method === 'GET' && backupType(filename) === 'complete') reply.raw.once('finish', onCompleteTaken)
    // Otherwise all of it would be read for an answer without a body.
    if (request.method === 'HEAD') content.destroy()
    return reply
      .header('content-length', bytes)
      .header('content-disposition', `attachment; filename="${filename}${secret ? encryptedEnding : ''}"`)
      .header('cross-origin-resource-policy', 'same-origin')
      .type(secret ? 'application/octet-stream' : contentTypeOf(filename))
      .send(request.method === 'HEAD' ? Readable.from([]) : content)
  })
}

function scheduleAndRetention(app: FastifyInstance, { database, storage, clock, backups: { readStatus } }: Parts) {
  serve(app, readBackupStatus, readStatus)

  serve(app, changeBackupSettings, async ({ body: { nightly, at, keep } }) => {
    await updateBackupJobs(database.db, {
      nightly,
      at,
      keepDaily: keep.daily,
      keepWeekly: keep.weekly,
      keepMonthly: keep.monthly,
      // Otherwise the fault of a schedule that is off would be shown for ever.
      ...(!nightly && { nightFault: null }),
    })
    return readStatus()
  })

  serve(app, deleteBackup, async ({ params: { filename }, query: { last } }) => {
    await removeBackup({ database, storage, clock }, filename, { evenTheLast: last === 'yes' })
    return { message: 'Backup deleted successfully' }
  })
}

/** SPEC's two calls: a whole file in one request, merged without a preview. */
async function mergeWholeFiles(app: FastifyInstance, { config, storage, backups: { openBackups } }: Parts) {
  // In scopes of their own: no other route takes forms, or JSON that is not read as a whole.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', (_request, _body, done) => done(null))
    serve(
      scope,
      importData,
      async ({ request }) => {
        const backups = await openBackups()
        return asAnswered(await receiveExport(request, storage, (file) => backups.mergeExport(file, 'import')))
      },
      { withoutBodyTimeout: true, streamsBody: true },
    )
  })
  await app.register(async (scope) => {
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    serve(
      scope,
      restoreComplete,
      async ({ request }) => {
        const backups = await openBackups()
        // Before the body is read: a client that sent `Expect: 100-continue` has sent none of it yet.
        await backups.restores.refuseWhileBusy()
        return asAnswered(
          await receiveArchive(request, { storage, secret: config.backupSecret }, (file, filename) =>
            backups.restoreComplete(file, { filename }),
          ),
        )
      },
      { withoutBodyTimeout: true },
    )
  })
}

/** A file is uploaded in parts or is listed already; the panel shows what would change before it is merged. */
async function mergeWithPreview(app: FastifyInstance, { backups: { openBackups } }: Parts) {
  const open = async () => (await openBackups()).restores

  serve(app, beginBackupUpload, async ({ body, admin: { adminId } }) => (await open()).sent.begin({ ...body, adminId }))

  // In a scope of its own: bodies are not read before the handler.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    serve(scope, sendBackupPart, async ({ params: { id, part }, admin: { adminId }, request }) => {
      const { sent } = await open()
      await sent.receive(id, Number(part), { adminId, body: request.raw })
      return { message: 'The part has arrived.' }
    })
  })

  serve(app, dropBackupUpload, async ({ params: { id }, admin: { adminId } }) => {
    await (await open()).sent.drop(id, adminId)
    return { message: 'The file was removed.' }
  })

  serve(app, previewMerge, async ({ body, admin: { adminId } }) => (await open()).preview({ ...body, adminId }))

  serve(app, applyMerge, async ({ body, admin: { adminId } }) => (await open()).apply({ ...body, adminId }))

  serve(app, undoMerge, async ({ params: { id } }) => (await open()).undo(id))

  serve(app, putReportAway, async ({ params: { id } }) => {
    await (await open()).putAway(id)
    return { message: 'The report was put away.' }
  })
}

/** Without what only the panel needs. */
function asAnswered({
  id: _id,
  mode: _mode,
  filename: _filename,
  at: _at,
  undone: _undone,
  canUndo: _canUndo,
  ...report
}: RestoredReport) {
  return report
}

async function* answerWith(data: AsyncIterable<Buffer>, about: object) {
  yield '{"data":'
  yield* data
  yield `,${JSON.stringify(about).slice(1)}`
}
