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
import { applyMerge, type MergeSource, previewMerge, putReportAway, sendBackup, undoMerge } from '#contract/restores.ts'
import { type Doer, noteActivity, noteDownload } from '#server/features/activity/activity.queries.ts'
import { imagesLock } from '#server/features/images/images.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import { isBackupName, listStoredBackups, storedBackup } from './backup-names.ts'
import { findWorking, listCheckedBackups, updateBackupSettings } from './backup-state.ts'
import { encryptedEnding } from './encryption.ts'
import type { Job } from './job.ts'
import { keepArchive, keepExport, keepSent, sentFile } from './restore/sent-files.ts'
import { putReportAway as forgetReport } from './restore/undo.ts'
import { lastWhole, deleteBackup as removeBackup } from './retention.ts'
import { readStatus } from './status.ts'

export async function backupRoutes(app: FastifyInstance, site: Site) {
  makeAndDownload(app, site)
  scheduleAndRetention(app, site)
  await merges(app, site)
}

function makeAndDownload(app: FastifyInstance, { config, database: { db }, storage, clock, log, worker }: Site) {
  function onCompleteTaken() {
    const recorded = db.updateTable('site').set({ backupTakenAt: clock.now().toISOString() }).execute()
    recorded.catch((error: unknown) => log.error({ err: error }, 'the download of a backup could not be recorded'))
  }

  async function openListed(filename: string) {
    const stored = await storage.stream(storedBackup(filename))
    if (!stored) throw new Problem('backup_not_found')
    return stored
  }

  serve(app, createDatabaseBackup, async ({ admin: by }) => ({
    message: 'Database backup created successfully',
    ...(await worker.run({ kind: 'database', by })),
  }))

  serve(app, exportData, async ({ reply, admin: by }) => {
    const made = await worker.run({ kind: 'export', by })
    const { content } = await openListed(made.filename)
    // Also where the client has gone before the first byte.
    reply.raw.once('close', () => content.destroy())
    return reply.type('application/json').send(Readable.from(answerWith(content, made), { objectMode: false }))
  })

  serve(app, createCompleteBackup, async ({ admin: by }) => {
    const made = await worker.run({ kind: 'complete', by })
    const { done, missing } = texts.complete
    const photos = made.missingImages > 0 && missing(made.missingImages, made.missingFrom)
    const warnings = [photos, made.missingRecords > 0 && texts.leftOut(made.leftOut)]
    return { message: warnings.filter(Boolean).join(' ') || done, ...made }
  })

  serve(app, downloadBackup, async ({ params: { filename }, request, reply, admin }) => {
    const isEncrypted = config.backupSecret !== undefined
    if (!isBackupName(filename)) throw new Problem('backup_not_found')
    if (config.lost.includes('passphrase')) throw new Problem('passphrase_lost')
    const { content, bytes } = isEncrypted ? await worker.download(filename) : await openListed(filename)
    if (request.method === 'GET') await noteDownload(db, admin, { kind: 'backup_downloaded', name: filename }, clock.now())
    // Not for HEAD, and not where the connection ends before the file does.
    if (request.method === 'GET' && backupType(filename) === 'complete') reply.raw.once('finish', onCompleteTaken)
    // Otherwise all of it would be read for an answer without a body.
    if (request.method === 'HEAD') content.destroy()
    return reply
      .header('content-length', bytes)
      .header('content-disposition', `attachment; filename="${filename}${isEncrypted ? encryptedEnding : ''}"`)
      .header('cross-origin-resource-policy', 'same-origin')
      .type('application/octet-stream')
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

  serve(app, readBackupStatus, () => readStatus(site))

  serve(app, readBackupWork, async () => ({ working: await findWorking(database) }))

  serve(app, changeBackupSettings, async ({ body, admin }) => {
    await database.db.transaction().execute(async (tx) => {
      await updateBackupSettings(tx, body)
      await noteActivity(tx, admin, { kind: 'backup_settings_changed' }, clock.now())
    })
    return readStatus(site)
  })

  serve(app, deleteBackup, async ({ params: { filename }, query: { last }, admin: by }) => {
    await removeBackup(site, filename, { evenTheLast: last === 'yes', by })
    return { message: 'Backup deleted successfully' }
  })
}

type Merge = Extract<Job, { without: unknown }>

async function merges(app: FastifyInstance, { database, storage, worker, variants }: Site) {
  async function mergeFile(job: Merge) {
    const { report, added } = await worker.run(job)
    for (const hash of added) variants.prepare(hash)
    return report
  }

  async function removeSent({ upload }: MergeSource) {
    // One that stays is swept later.
    if (upload) await storage.remove(sentFile(upload)).catch(() => {})
  }

  /** SPEC's two calls: a whole file in one request, merged without a preview. Answers without what only the panel needs. */
  async function mergeWhole(kind: Merge['kind'], sending: Promise<MergeSource>, by: Doer) {
    const source = await sending
    const report = await mergeFile({ kind, source, without: [], by }).finally(() => removeSent(source))
    return z.parse(z.object(mergeReport.shape), report)
  }

  // In a scope of its own: bodies are not read before the handler.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    const streamed = { withoutBodyTimeout: true, streamsBody: true }
    serve(scope, importData, ({ request, admin }) => mergeWhole('import', keepExport(storage, request), admin), streamed)
    serve(scope, restoreComplete, ({ request, admin }) => mergeWhole('restore', keepArchive(storage, request), admin), streamed)
    serve(scope, sendBackup, async ({ request }) => ({ id: await keepSent(storage, request) }), streamed)
  })

  serve(app, previewMerge, ({ body: { source, mode }, reply }) => {
    const closed = new AbortController()
    reply.raw.once('close', () => closed.abort())
    return worker.run({ kind: 'preview', source, mode }, closed)
  })

  serve(app, applyMerge, async ({ body: { source, mode, without }, admin: by }) => {
    const report = await mergeFile({ kind: mode, source, without, by })
    await removeSent(source)
    return report
  })

  serve(app, undoMerge, ({ params: { id }, admin: by }) => worker.run({ kind: 'undo', id, by }))

  serve(app, putReportAway, async ({ params: { id } }) => {
    // Not while a merge or an undo writes.
    await database.exclusively(imagesLock, (tx) => forgetReport(tx, id))
    return { message: 'The report was put away.' }
  })
}

async function* answerWith(data: AsyncIterable<Buffer>, about: object) {
  yield '{"data":'
  yield* data
  yield `,${JSON.stringify(about).slice(1)}`
}
