import { createHash, randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { uploadPartBytes } from '#contract/restores.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { limitBody } from '#server/http/body-limits.ts'
import { Problem } from '#server/http/problem.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'
import type { OpenFile, Storage } from '#server/storage/storage.ts'
import { ensureRoom } from '../disk-space.ts'
import { decryptedName } from '../encryption.ts'

/** A file that is uploaded to be restored. Stored beside its parts, so that any process can resume it. */
type SentFile = { adminId: string; filename: string; bytes: number; modified: number }

const folder = 'restores'
const daysKept = 2
/** The address of a part has room for their numbers. */
const mostParts = 1_000_000

/** Its numbered parts; or all of it, when it came in one request. */
const nameOf = (id: string, piece: number | 'about' | 'whole') => `${folder}/${id}.${piece}`
const idIn = (name: string) => name.slice(folder.length + 1).split('.')[0] ?? ''
const pieceIn = (name: string) => name.split('.')[1]

/** The same for the same file of the same administrator, who alone can resume the upload. */
function idOf({ adminId, filename, bytes, modified }: SentFile) {
  const sum = createHash('sha256')
    .update(JSON.stringify([adminId, filename, bytes, modified]))
    .digest('hex')
  return `${sum.slice(0, 8)}-${sum.slice(8, 12)}-4${sum.slice(13, 16)}-8${sum.slice(17, 20)}-${sum.slice(20, 32)}`
}

const countParts = ({ bytes }: SentFile) => Math.ceil(bytes / uploadPartBytes)
const bytesOfPart = ({ bytes }: SentFile, part: number) => Math.min(uploadPartBytes, bytes - part * uploadPartBytes)

async function find(storage: Storage, id: string): Promise<SentFile> {
  const about = await storage.read(nameOf(id, 'about'))
  if (!about) throw new Problem('backup_upload_not_found')
  return JSON.parse(about.toString())
}

const listFilesOf = async (storage: Storage, id: string) => (await storage.list(folder)).filter(({ name }) => idIn(name) === id)

async function listReceived(storage: Storage, id: string, file: SentFile) {
  const files = (await listFilesOf(storage, id)).map(({ name, bytes }) => ({ piece: pieceIn(name), bytes }))
  const whole = files.filter(({ piece, bytes }) => bytes === bytesOfPart(file, Number(piece)))
  return whole.map(({ piece }) => Number(piece)).toSorted((a, b) => a - b)
}

/** What administrators upload, as the site receives it. */
export function openSentFiles(storage: Storage) {
  async function findOwn(id: string, adminId: string) {
    const file = await find(storage, id)
    if (file.adminId !== adminId) throw new Problem('backup_upload_not_found')
    return file
  }

  const keepAbout = (id: string, file: SentFile) => storage.put(nameOf(id, 'about'), Buffer.from(JSON.stringify(file)))

  return {
    findOwn,

    /** Resumes an upload of the same file. */
    async begin(file: SentFile) {
      const id = idOf(file)
      if (countParts(file) > mostParts) throw new Problem('body_too_large')
      const received = await listReceived(storage, id, file)
      const missing = received.reduce((bytes, part) => bytes - bytesOfPart(file, part), file.bytes)
      await ensureRoom(storage, missing)
      await keepAbout(id, file)
      return { id, parts: countParts(file), received }
    },

    /** Kept once all of it has arrived. */
    async receive(id: string, part: number, { adminId, body }: { adminId: string; body: Readable }) {
      const file = await findOwn(id, adminId)
      if (part >= countParts(file)) throw new Problem('not_found')
      const bytes = bytesOfPart(file, part)
      // Checked again: other uploads may run.
      await ensureRoom(storage, bytes)
      await storage.put(nameOf(id, part), await contentOf(body, bytes))
    },

    /** A file that comes in one request; its id. `write` fills the draft and answers the name of the file. */
    async receiveWhole(adminId: string, write: (write: (content: Readable) => Promise<void>) => Promise<string>) {
      const id = randomUUID()
      const draft = storage.newDraft()
      try {
        const filename = await write(draft.write)
        await keepAbout(id, { adminId, filename, bytes: 0, modified: 0 })
        await draft.keepAs(nameOf(id, 'whole'))
      } finally {
        await draft.drop()
      }
      return id
    },

    drop: (id: string) => removeFile(storage, id),
  }
}

/** A file that has arrived whole. */
export async function openUpload(id: string, storage: Storage) {
  const sent = await find(storage, id)
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

type Parts = { database: Database; storage: Storage; clock: Clock }

/** Removes files of which nothing has arrived for two days. */
export async function sweepSentFiles({ database: { db }, storage, clock }: Parts) {
  const files = await storage.list(folder)
  const before = await ranDaysBefore(db, clock, daysKept)
  const inUse = new Set(files.filter(({ modifiedAt }) => modifiedAt >= before).map(({ name }) => idIn(name)))
  const ids = new Set(files.map(({ name }) => idIn(name)).filter((id) => !inUse.has(id)))
  for (const id of ids) await removeFile(storage, id)
}

/** `about` last: without it nothing could remove the parts that are left. */
async function removeFile(storage: Storage, id: string) {
  const isAbout = ({ name }: { name: string }) => name.endsWith('.about')
  const files = await listFilesOf(storage, id)
  for (const { name } of files.toSorted((a, b) => Number(isAbout(a)) - Number(isAbout(b)))) await storage.remove(name)
}

/** Exactly so many bytes. */
async function contentOf(body: Readable, bytes: number) {
  const content = Buffer.allocUnsafeSlow(bytes)
  let filled = 0
  try {
    for await (const chunk of limitBody(body, bytes, 'body_too_large')) filled += (chunk as Buffer).copy(content, filled)
  } catch (error) {
    // Anything else is a connection that broke.
    throw error instanceof Problem ? error : new Problem('upload_incomplete', { cause: error })
  }
  if (filled !== bytes) throw new Problem('upload_incomplete')
  return content
}
