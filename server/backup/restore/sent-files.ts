import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyRequest } from 'fastify'
import { maxExportBytes, restoreUpload } from '#contract/backups.ts'
import { uploadPartBytes } from '#contract/restores.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { limitBody } from '#server/http/body-limits.ts'
import { isMultipart, readParts } from '#server/http/multipart.ts'
import { asDiskProblem, Problem } from '#server/http/problem.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'
import { type OpenFile, type Storage, StorageFailed } from '#server/storage/storage.ts'
import { decryptedName } from '../encryption.ts'
import { ensureRoom } from '../job.ts'

/** A file that is uploaded to be restored. Stored beside its parts, so that any process can resume it. */
type SentFile = { adminId: string; filename: string; bytes: number; modified: number }

const folder = 'restores'
const daysKept = 2

/** Its numbered parts; or all of it, when it came in one request. */
const nameOf = (id: string, piece: number | 'about' | 'whole') => `${folder}/${id}.${piece}`
const idIn = (name: string) => name.slice(folder.length + 1).split('.')[0]

/** The same for the same file of the same administrator, who alone can resume the upload. */
function idOf({ adminId, filename, bytes, modified }: SentFile) {
  const sum = createHash('sha256')
    .update(JSON.stringify([adminId, filename, bytes, modified]))
    .digest('hex')
  return `${sum.slice(0, 8)}-${sum.slice(8, 12)}-4${sum.slice(13, 16)}-8${sum.slice(17, 20)}-${sum.slice(20, 32)}`
}

const countParts = ({ bytes }: SentFile) => Math.ceil(bytes / uploadPartBytes)
const bytesOfPart = ({ bytes }: SentFile, part: number) => Math.min(uploadPartBytes, bytes - part * uploadPartBytes)

/** `adminId` refuses that of another administrator. */
export async function findUpload(storage: Storage, id: string, adminId?: string): Promise<SentFile> {
  const about = await storage.read(nameOf(id, 'about'))
  const file: SentFile | undefined = about && JSON.parse(about.toString())
  if (!file || (adminId && file.adminId !== adminId)) throw new Problem('backup_upload_not_found')
  return file
}

function keepAbout(storage: Storage, id: string, file: SentFile) {
  return storage.put(nameOf(id, 'about'), Buffer.from(JSON.stringify(file)))
}

const listFilesOf = async (storage: Storage, id: string) => (await storage.list(folder)).filter(({ name }) => idIn(name) === id)

async function listReceived(storage: Storage, id: string, file: SentFile) {
  const files = (await listFilesOf(storage, id)).map(({ name, bytes }) => ({ part: Number(name.split('.')[1]), bytes }))
  const whole = files.filter(({ part, bytes }) => bytes === bytesOfPart(file, part))
  return whole.map(({ part }) => part).toSorted((a, b) => a - b)
}

/** Resumes an upload of the same file. */
export async function beginUpload(storage: Storage, file: SentFile) {
  const id = idOf(file)
  const received = await listReceived(storage, id, file)
  const missing = received.reduce((bytes, part) => bytes - bytesOfPart(file, part), file.bytes)
  await ensureRoom(storage, missing)
  await keepAbout(storage, id, file)
  return { id, parts: countParts(file), received }
}

type SentPart = { id: string; part: number; adminId: string; body: Readable }

/** Kept once all of it has arrived. */
export async function receivePart(storage: Storage, { id, part, adminId, body }: SentPart) {
  const file = await findUpload(storage, id, adminId)
  if (part >= countParts(file)) throw new Problem('not_found')
  const bytes = bytesOfPart(file, part)
  // Checked again: other uploads may run.
  await ensureRoom(storage, bytes)
  const content = await buffer(limitBody(body, bytes, 'body_too_large')).catch((error: unknown) => {
    // Anything else is a connection that broke.
    throw error instanceof Problem ? error : new Problem('upload_incomplete', { cause: error })
  })
  if (content.length !== bytes) throw new Problem('upload_incomplete')
  await storage.put(nameOf(id, part), content)
}

export async function removeUpload(storage: Storage, id: string) {
  for (const { name } of await listFilesOf(storage, id)) await storage.remove(name)
}

/** A file that has arrived whole. */
export async function openUpload(id: string, storage: Storage) {
  const sent = await findUpload(storage, id)
  const file = (await storage.open(nameOf(id, 'whole'))) ?? (await openParts(storage, id, sent))
  return { file, filename: decryptedName(sent.filename) }
}

/** Opens a part for each read: a file of many gigabytes has hundreds. */
async function openParts(storage: Storage, id: string, file: SentFile): Promise<OpenFile> {
  if ((await listReceived(storage, id, file)).length < countParts(file)) throw new Problem('upload_incomplete')
  return {
    bytes: file.bytes,
    async read(start, bytes) {
      const pieces: Buffer[] = []
      let filled = 0
      while (filled < bytes) {
        const part = Math.floor((start + filled) / uploadPartBytes)
        const from = start + filled - part * uploadPartBytes
        const length = Math.min(uploadPartBytes - from, bytes - filled)
        const opened = await storage.open(nameOf(id, part))
        if (!opened) throw new Problem('upload_incomplete')
        pieces.push(await opened.read(from, length).finally(() => opened.close()))
        filled += length
      }
      return Buffer.concat(pieces)
    },
    close: async () => {},
  }
}

/** Removes files of which nothing has arrived for two days. */
export async function sweepSentFiles(parts: { database: Database; storage: Storage; clock: Clock }) {
  const files = await parts.storage.list(folder)
  const before = await ranDaysBefore(parts.database.db, parts.clock, daysKept)
  const inUse = new Set(files.filter(({ modifiedAt }) => modifiedAt >= before).map(({ name }) => idIn(name)))
  for (const { name } of files) if (!inUse.has(idIn(name))) await parts.storage.remove(name)
}

/** `use` is called with the id of the file, which is removed afterwards. */
type Receiving<T> = { storage: Storage; adminId: string; use(id: string): Promise<T> }

/** A complete backup out of a form. */
export function receiveArchive<T>(request: FastifyRequest, receiving: Receiving<T>) {
  if (!isMultipart(request)) throw new Problem('unsupported_media_type', { details: { reason: 'form_expected' } })
  return receiveWhole(request, receiving, async (write) => {
    // The file may be as large as the disk; the rest of the form is small.
    for await (const part of readParts(request, { parts: 12, bytes: Number.POSITIVE_INFINITY })) {
      if (part.filename === undefined) continue
      const isArchive = decryptedName(part.filename).toLowerCase().endsWith(restoreUpload.ending)
      if (part.name !== restoreUpload.field || !isArchive) break
      await write(part.content)
      return part.filename
    }
    throw new Problem('zip_expected')
  })
}

/** An export, which is all of the body. */
export function receiveExport<T>(request: FastifyRequest, receiving: Receiving<T>) {
  if (Number(request.headers['content-length'] ?? 0) > maxExportBytes) throw new Problem('import_too_large')
  return receiveWhole(request, receiving, async (write) => {
    await write(limitBody(request.raw, maxExportBytes, 'import_too_large'))
    return 'export.json'
  })
}

type Write = (content: AsyncIterable<Buffer>) => Promise<void>

/** `fill` answers the name of the file. */
async function receiveWhole<T>(
  request: FastifyRequest,
  { storage, adminId, use }: Receiving<T>,
  fill: (write: Write) => Promise<string>,
) {
  await ensureRoom(storage, Number(request.headers['content-length'] ?? 0))
  const id = randomUUID()
  const write: Write = (content) => storage.put(nameOf(id, 'whole'), Readable.from(content, { objectMode: false }))
  const filename = await fill(write).catch((error: unknown) => {
    // A browser reads the answer only after it has sent all of the file.
    request.raw.resume()
    const problem = asDiskProblem(error)
    if (problem instanceof Problem || problem instanceof StorageFailed) throw problem
    // Anything else is a connection that broke.
    throw new Problem('file_damaged', { details: { cause: 'It did not arrive completely.' }, cause: error })
  })
  await keepAbout(storage, id, { adminId, filename, bytes: 0, modified: 0 })
  // What stays is swept later.
  return use(id).finally(() => removeUpload(storage, id).catch(() => {}))
}
