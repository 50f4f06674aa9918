import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod/mini'
import { backups as texts } from '#content/en/backups.ts'
import { changeBackupSettings, readBackupStatus, readBackupWork } from '#contract/backup-status.ts'
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
  mergeReport,
  missingFromBackup,
  recordsMissingFrom,
  restoreComplete,
} from '#contract/backups.ts'
import { applyMerge, beginBackupUpload, previewMerge, putReportAway, sendBackupPart, undoMerge } from '#contract/restores.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import { contentTypeOf, isBackupName, listStoredBackups, storedBackup } from './backup-names.ts'
import { findWorking, listCheckedBackups, updateBackupSettings, withBackupsLock } from './backup-state.ts'
import { givesWay, type Job } from './job.ts'
import { lastWhole, deleteBackup as removeBackup } from './retention.ts'

/** Loaded with the first call: a start needs none of them. */
const loadStatus = () => import('./status.ts')
const loadUploads = () => import('./restore/sent-files.ts')

export async function backupRoutes(app: FastifyInstance, site: Site) {
  makeAndDownload(app, site)
  scheduleAndRetention(app, site)
  await merges(app, site)
}

function makeAndDownload(app: FastifyInstance, { config, database: { db }, storage, clock, log, worker }: Site) {
  /** A complete backup has been downloaded to its end. */
  function onCompleteTaken() {
    const recorded = db.updateTable('site').set({ backupTakenAt: clock.now().toISOString() }).execute()
    recorded.catch((error: unknown) => log.error({ err: error }, 'the download of a backup could not be recorded'))
  }

  async function openListed(filename: string) {
    const stored = await storage.stream(storedBackup(filename))
    if (!stored) throw new Problem('backup_not_found')
    return stored
  }

  serve(app, createDatabaseBackup, async () => ({
    message: 'Database backup created successfully',
    ...(await worker.run({ kind: 'make', type: 'database' })),
  }))

  serve(app, exportData, async ({ reply }) => {
    const made = await worker.run({ kind: 'make', type: 'export' })
    const { content } = await openListed(made.filename)
    // Also where the client has gone before the first byte.
    reply.raw.once('close', () => content.destroy())
    return reply.type(contentTypeOf(made.filename)).send(Readable.from(answerWith(content, made), { objectMode: false }))
  })

  serve(app, createCompleteBackup, async () => {
    const made = await worker.run({ kind: 'make', type: 'complete' })
    const { done, missing } = texts.complete
    const { missingImages, missingFrom, missingFromMessages, missingRecords, leftOut } = made
    const withoutPhotos = missingImages > 0 ? [missing(missingImages, missingFrom, missingFromMessages)] : []
    const warnings = [...withoutPhotos, ...(missingRecords > 0 ? [texts.leftOut(leftOut)] : [])]
    return { message: warnings.join(' ') || done, ...made }
  })

  serve(app, downloadBackup, async ({ params: { filename }, request, reply }) => {
    const isEncrypted = config.backupSecret !== undefined
    if (!isBackupName(filename)) throw new Problem('backup_not_found')
    const { content, bytes } = isEncrypted ? await worker.download(filename) : await openListed(filename)
    const ending = isEncrypted ? (await import('./encryption.ts')).encryptedEnding : ''
    // Not for HEAD, and not where the connection ends before the file does.
    if (request.method === 'GET' && backupType(filename) === 'complete') reply.raw.once('finish', onCompleteTaken)
    // Otherwise all of it would be read for an answer without a body.
    if (request.method === 'HEAD') content.destroy()
    return reply
      .header('content-length', bytes)
      .header('content-disposition', `attachment; filename="${filename}${ending}"`)
      .header('cross-origin-resource-policy', 'same-origin')
      .type(isEncrypted ? 'application/octet-stream' : contentTypeOf(filename))
      .send(request.method === 'HEAD' ? Readable.from([]) : content)
  })
}

function scheduleAndRetention(app: FastifyInstance, site: Site) {
  const { database, storage, clock } = site

  serve(app, listBackups, async () => {
    const [files, checked] = await Promise.all([listStoredBackups(storage, clock.now()), listCheckedBackups(database.db)])
    const backups = files.map(({ filename }) => filename)
    const last = lastWhole(backups)
    return {
      backups,
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

  serve(app, readBackupStatus, async () => (await loadStatus()).readStatus(site))

  serve(app, readBackupWork, async () => ({ working: await findWorking(database) }))

  serve(app, changeBackupSettings, async ({ body }) => {
    await updateBackupSettings(database.db, body)
    return (await loadStatus()).readStatus(site)
  })

  serve(app, deleteBackup, async ({ params: { filename }, query: { last } }) => {
    await removeBackup(site, filename, { evenTheLast: last === 'yes' })
    return { message: 'Backup deleted successfully' }
  })
}

type Restore = Omit<Extract<Job, { kind: 'restore' }>, 'kind'>

async function merges(app: FastifyInstance, { database, storage, worker, variants }: Site) {
  async function restore(job: Restore) {
    const { report, added } = await worker.run({ kind: 'restore', ...job })
    for (const hash of added) variants.prepare(hash)
    return report
  }

  /** SPEC's two calls: a whole file in one request, merged without a preview. Answers without what only the panel needs. */
  const restoreWhole = (mode: Restore['mode']) => async (upload: string) =>
    z.parse(z.object(mergeReport.shape), await restore({ source: { upload }, mode, without: [] }))

  /** Before gigabytes are sent for nothing. */
  async function refuseWhileBusy() {
    const working = await findWorking(database)
    if (working && working.kind !== 'preview' && !givesWay(working)) throw new Problem('backup_in_progress')
  }

  // In scopes of their own: bodies are not read before the handler.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', (_request, _body, done) => done(null))
    serve(
      scope,
      importData,
      async ({ request, admin: { adminId } }) =>
        (await loadUploads()).receiveExport(request, { storage, adminId, use: restoreWhole('import') }),
      { withoutBodyTimeout: true, streamsBody: true },
    )
  })
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    serve(
      scope,
      restoreComplete,
      async ({ request, admin: { adminId } }) => {
        // Before the body is read: a client that sent `Expect: 100-continue` has sent none of it yet.
        await refuseWhileBusy()
        return (await loadUploads()).receiveArchive(request, { storage, adminId, use: restoreWhole('restore') })
      },
      { withoutBodyTimeout: true },
    )
    serve(scope, sendBackupPart, async ({ params: { id, part }, admin: { adminId }, request }) => {
      await (await loadUploads()).receivePart(storage, { id, part: Number(part), adminId, body: request.raw })
      return { message: 'The part has arrived.' }
    })
  })

  serve(app, beginBackupUpload, async ({ body, admin: { adminId } }) => {
    if (!/\.(zip|json)(\.age)?$/i.test(body.filename)) throw new Problem('zip_expected')
    await refuseWhileBusy()
    return (await loadUploads()).beginUpload(storage, { ...body, adminId })
  })

  serve(app, previewMerge, async ({ body: { source, mode }, admin: { adminId }, reply }) => {
    if ('upload' in source) await (await loadUploads()).findOwnUpload(storage, source.upload, adminId)
    const closed = new AbortController()
    reply.raw.once('close', () => closed.abort())
    return worker.run({ kind: 'preview', source, mode }, closed)
  })

  serve(app, applyMerge, async ({ body: { source, mode, without }, admin: { adminId } }) => {
    if ('upload' in source) await (await loadUploads()).findOwnUpload(storage, source.upload, adminId)
    const report = await restore({ source, mode, without })
    // One that stays is swept later.
    if ('upload' in source) await (await loadUploads()).removeUpload(storage, source.upload).catch(() => {})
    return report
  })

  serve(app, undoMerge, ({ params: { id } }) => worker.run({ kind: 'undo', id }))

  serve(app, putReportAway, async ({ params: { id } }) => {
    const { putReportAway: forgetReport } = await import('./restore/undo.ts')
    // Refused while a merge or an undo runs.
    const forget = () => database.db.transaction().execute((tx) => forgetReport(tx, id))
    if (!(await withBackupsLock(database, forget))) throw new Problem('backup_in_progress')
    return { message: 'The report was put away.' }
  })
}

async function* answerWith(data: AsyncIterable<Buffer>, about: object) {
  yield '{"data":'
  yield* data
  yield `,${JSON.stringify(about).slice(1)}`
}
