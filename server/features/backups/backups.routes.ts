import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { backups as texts } from '#content/en/backups.ts'
import {
  backupMaker,
  backupType,
  createCompleteBackup,
  createDatabaseBackup,
  downloadBackup,
  exportData,
  importData,
  listBackups,
  missingFromBackup,
  recordsMissingFrom,
  restoreComplete,
} from '#contract/backups.ts'
import type { RestoredReport } from '#contract/restores.ts'
import type { BackupSecret } from '#server/config.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { Storage } from '#server/storage/storage.ts'
import { contentTypeOf } from './backup-names.ts'
import type { Backups } from './backups.ts'
import { lastWhole } from './care/keeping.rules.ts'
import { listKnown } from './care.queries.ts'
import { openSeal, sealedEnding } from './elsewhere/seal.ts'
import { receiveArchive, receiveExport } from './receive-upload.ts'

type Parts = {
  /** Loaded after the start: what reads and writes archives is no small part of the program. */
  openBackups(): Promise<Backups>
  db: Db
  storage: Storage
  /** With what files are encrypted that go, and opened that come encrypted. */
  secret: BackupSecret | undefined
  /** A complete backup has been downloaded to its end. */
  onCompleteTaken(): void
}

export async function backupRoutes(app: FastifyInstance, { openBackups, db, storage, secret, onCompleteTaken }: Parts) {
  serve(app, listBackups, async () => {
    const backups = await openBackups()
    const [files, known] = await Promise.all([backups.list(), listKnown(db)])
    const last = lastWhole(files.map(({ filename }) => filename))
    return {
      backups: files.map(({ filename }) => filename),
      files: files.map((file) => ({
        ...file,
        missingImages: missingFromBackup(file.filename),
        missingRecords: recordsMissingFrom(file.filename),
        madeBy: backupMaker(file.filename),
        copiedAt: known.get(file.filename)?.copiedAt ?? null,
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
        // Who waits for the word to go on has sent nothing yet.
        await backups.restores.refuseWhileBusy()
        return asAnswered(
          await receiveArchive(request, { storage, secret }, (file, filename) => backups.restoreComplete(file, { filename })),
        )
      },
      { withoutBodyTimeout: true },
    )
  })

  serve(app, downloadBackup, async ({ params: { filename }, request, reply }) => {
    const backups = await openBackups()
    const found = await backups.read(filename)
    if (!found) throw new Problem('backup_not_found')
    const { content, bytes } = secret ? await openSeal(secret).seal(found.content, found.bytes) : found
    // Not for HEAD, and not where the connection ends before the file does.
    if (request.method === 'GET' && backupType(filename) === 'complete') reply.raw.once('finish', onCompleteTaken)
    // It would be read to its end for nobody.
    if (request.method === 'HEAD') content.destroy()
    return reply
      .header('content-length', bytes)
      .header('content-disposition', `attachment; filename="${filename}${secret ? sealedEnding : ''}"`)
      .header('cross-origin-resource-policy', 'same-origin')
      .type(secret ? 'application/octet-stream' : contentTypeOf(filename))
      .send(request.method === 'HEAD' ? Readable.from([]) : content)
  })
}

/** Without what only the page needs to know. */
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
