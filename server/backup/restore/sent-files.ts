import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { uploadPartBytes } from '#contract/restores.ts'
import type { Clock } from '#server/clock.ts'
import type { BackupSecret } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import { limitBody } from '#server/http/body-limits.ts'
import { Problem } from '#server/http/problem.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'
import { roomFor } from '#server/storage/disk.ts'
import { type OpenFile, piecesOf, type Storage, StorageFailed } from '#server/storage/storage.ts'
import { ensureRoom } from '../disk-space.ts'
import { decryptedName, isEncrypted, withPlainFile } from '../encryption.ts'

/** An upload in parts. Stored beside them, so that any process can resume it. */
type SentFile = { adminId: string; filename: string; bytes: number; modified: number }

const folder = 'restores'
const daysKept = 2
/** The address of a part has room for their numbers. */
const mostParts = 1_000_000

/** The parts that were sent, or all of it once it was decrypted. */
const nameOf = (id: string, piece: number | 'about' | 'open') => `${folder}/${id}.${piece}`
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

export function openSentFiles({ storage, secret }: { storage: Storage; secret: BackupSecret | undefined }) {
  async function find(id: string, adminId: string): Promise<SentFile> {
    const about = await storage.read(nameOf(id, 'about'))
    const file = about && (JSON.parse(about.toString()) as SentFile)
    if (file?.adminId !== adminId) throw new Problem('backup_upload_not_found')
    return file
  }

  const listFilesOf = async (id: string) => (await storage.list(folder)).filter(({ name }) => idIn(name) === id)

  async function listReceived(id: string, file: SentFile) {
    const files = (await listFilesOf(id)).map(({ name, bytes }) => ({ piece: pieceIn(name), bytes }))
    if (files.some(({ piece }) => piece === 'open')) return Array.from({ length: countParts(file) }, (_, part) => part)
    const whole = files.filter(({ piece, bytes }) => bytes === bytesOfPart(file, Number(piece)))
    return whole.map(({ piece }) => Number(piece)).toSorted((a, b) => a - b)
  }

  /** Opens a part for each read: a file of many gigabytes has hundreds. */
  function joined(id: string, file: SentFile): OpenFile {
    return {
      bytes: file.bytes,
      async read(start, bytes, memory) {
        const content = roomFor(bytes, memory)
        let filled = 0
        while (filled < bytes) {
          const part = Math.floor((start + filled) / uploadPartBytes)
          const from = start + filled - part * uploadPartBytes
          const length = Math.min(uploadPartBytes - from, bytes - filled)
          const opened = await storage.open(nameOf(id, part))
          if (!opened) throw new Problem('upload_incomplete')
          await opened.read(from, length, content.subarray(filled, filled + length)).finally(() => opened.close())
          filled += length
        }
        return content
      },
      close: async () => {},
    }
  }

  /** Stores the decrypted file: every preview would decrypt it again. */
  async function decrypt(id: string, encrypted: OpenFile) {
    await withPlainFile(encrypted, { storage, secret }, (plain) =>
      storage.put(nameOf(id, 'open'), Readable.from(piecesOf(plain), { objectMode: false })),
    )
    // Otherwise the file would take its room twice.
    const parts = (await listFilesOf(id)).filter(({ name }) => /^\d+$/.test(pieceIn(name) ?? ''))
    await removeAll(storage, parts)
  }

  return {
    /** Resumes an upload of the same file. */
    async begin(file: SentFile) {
      const id = idOf(file)
      if (countParts(file) > mostParts) throw new Problem('body_too_large')
      const received = await listReceived(id, file)
      const missing = received.reduce((bytes, part) => bytes - bytesOfPart(file, part), file.bytes)
      await ensureRoom(storage, missing)
      await storage.put(nameOf(id, 'about'), Buffer.from(JSON.stringify(file)))
      return { id, parts: countParts(file), received }
    },

    /** Kept once all of it has arrived. */
    async receive(id: string, part: number, { adminId, body }: { adminId: string; body: Readable }) {
      const file = await find(id, adminId)
      if (part >= countParts(file)) throw new Problem('not_found')
      const bytes = bytesOfPart(file, part)
      // Checked again: other uploads may run.
      await ensureRoom(storage, bytes)
      const content = await contentOf(body, bytes)
      await storage.put(nameOf(id, part), content)
    },

    /** A file that has arrived whole, decrypted if it is encrypted. */
    async open(id: string, adminId: string) {
      const file = await find(id, adminId)
      const filename = decryptedName(file.filename)
      const decrypted = await storage.open(nameOf(id, 'open'))
      if (decrypted) return { file: decrypted, filename }
      if ((await listReceived(id, file)).length < countParts(file)) throw new Problem('upload_incomplete')
      const sent = joined(id, file)
      if (!(await isEncrypted(sent))) return { file: sent, filename }
      await decrypt(id, sent)
      const plain = await storage.open(nameOf(id, 'open'))
      if (!plain) throw new StorageFailed(new Error(`${nameOf(id, 'open')} was written and is not there.`))
      return { file: plain, filename }
    },

    async drop(id: string, adminId: string) {
      await find(id, adminId)
      await removeAll(storage, await listFilesOf(id))
    },
  }
}

/** Removes files of which nothing has arrived for two days. */
export async function sweepSentFiles({
  database: { db },
  storage,
  clock,
}: {
  database: Database
  storage: Storage
  clock: Clock
}) {
  const files = await storage.list(folder)
  const before = await ranDaysBefore(db, clock, daysKept)
  const inUse = new Set(files.filter(({ modifiedAt }) => modifiedAt >= before).map(({ name }) => idIn(name)))
  await removeAll(
    storage,
    files.filter(({ name }) => !inUse.has(idIn(name))),
  )
}

/** `about` last: without it nothing could remove the parts that are left. */
async function removeAll(storage: Storage, files: readonly { name: string }[]) {
  const isAbout = ({ name }: { name: string }) => name.endsWith('.about')
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
