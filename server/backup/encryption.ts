import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { BackupSecret } from '#server/config.ts'
import { Problem } from '#server/http/problem.ts'
import { type OpenFile, piecesOf, reportBytes, type Storage, watchSource } from '#server/storage/storage.ts'
import { ensureRoom, noProgress, type Progress } from './job.ts'

const firstLine = 'age-encryption.org/v1\n'
/** Ours have less than 300 bytes. */
const mostHeaderBytes = 64 * 1024
/** Scrypt needs 1 KB times 2 to the power of this: 64 MB for ours, 256 MB for those of the program age. */
const ourWorkFactor = 16
const mostWorkFactor = 18

export const encryptedEnding = '.age'

export function decryptedName(filename: string) {
  return filename.toLowerCase().endsWith(encryptedEnding) ? filename.slice(0, -encryptedEnding.length) : filename
}

/** Encrypts and decrypts files in the format of the program age. Its package, 15 MB of memory, is loaded with the first one. */
export function openEncryption(secret: BackupSecret) {
  return {
    /** `bytes` is the length of the content. */
    async encrypt(content: Readable, bytes: number): Promise<{ content: Readable; bytes: number }> {
      // An error before the first read would end the process. The reader gets it as well.
      content.on('error', () => {})
      const { Encrypter, identityToRecipient } = await import('age-encryption')
      const encrypter = new Encrypter()
      encrypter.setScryptWorkFactor(ourWorkFactor)
      if ('passphrase' in secret) encrypter.setPassphrase(secret.passphrase)
      else encrypter.addRecipient(await identityToRecipient(secret.key))
      const encrypted = await encrypter.encrypt(asWebStream(content))
      return { content: Readable.from(encrypted, { objectMode: false }), bytes: encrypted.size(bytes) }
    },

    /** Fails where the secret is wrong or the file is damaged, and as the content does. */
    async *decrypt(content: Readable): AsyncGenerator<Uint8Array> {
      const { Decrypter } = await import('age-encryption')
      const decrypter = new Decrypter()
      if ('passphrase' in secret) decrypter.addPassphrase(secret.passphrase)
      else decrypter.addIdentity(secret.key)
      decrypter.addIdentity({ unwrapFileKey: refuseSecret })
      const source = watchSource(content)
      try {
        yield* await decrypter.decrypt(asWebStream(source.chunks))
      } catch (error) {
        if (source.fault() || error instanceof Problem) throw source.fault() ?? error
        throw new Problem('file_damaged', { details: { cause: String(error) }, cause: error })
      }
    },
  }
}

/** The package calls it last, where the secret does not match. */
function refuseSecret(): never {
  throw new Problem('secret_wrong')
}

type Parts = { storage: Storage; secret: BackupSecret | undefined; progress?: Progress }

/** Passes on the file, decrypted if it is encrypted; only after all of it was authenticated. */
export async function withPlainFile<T>(file: OpenFile, parts: Parts, use: (file: OpenFile) => Promise<T>): Promise<T> {
  const beginning = String(await file.read(0, Math.min(file.bytes, mostHeaderBytes)))
  if (!beginning.startsWith(firstLine)) return use(file)
  const { storage, secret, progress = noProgress } = parts
  if (!secret) throw new Problem('secret_wrong')
  refuseCostly(beginning)
  await ensureRoom(storage, file.bytes)
  const draft = storage.newDraft()
  try {
    const pieces = reportBytes(piecesOf(file), (bytes) => progress('reading', bytes, file.bytes))
    const decrypted = openEncryption(secret).decrypt(pieces)
    await draft.write(Readable.from(decrypted, { objectMode: false }))
    const plain = await draft.open()
    return await use(plain).finally(() => plain.close())
  } finally {
    // What was done with it is done.
    await draft.drop().catch(() => {})
  }
}

/** Before any work: the package keeps the header in memory, and needs 1 GB for a work factor of 20. */
function refuseCostly(beginning: string) {
  const [header = '', rest] = beginning.split('\n--- ')
  if (rest === undefined) throw new Problem('file_damaged', { details: { cause: 'The header does not end.' } })
  const factor = Number(/^-> scrypt \S+ (\d+)$/m.exec(header)?.[1] ?? 0)
  if (factor > mostWorkFactor) throw new Problem('file_too_large', { details: { cause: `The work factor is ${factor}.` } })
}

/** TypeScript knows the type twice: of Node and of browsers. */
function asWebStream(chunks: AsyncIterable<Uint8Array>) {
  // The global one: its types are of browsers, where `from` is missing.
  return (ReadableStream as unknown as typeof WebStream).from(chunks) as ReadableStream<Uint8Array>
}
