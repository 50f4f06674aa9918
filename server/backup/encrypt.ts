import { Readable } from 'node:stream'
import type { Decrypter, Encrypter } from 'age-encryption'
import type { BackupSecret } from '#server/config.ts'
import { asDiskProblem, Problem } from '#server/http/problem.ts'
import { type Draft, type OpenFile, piecesOf, type Storage, watchSource } from '#server/storage/storage.ts'
import { decryptPayload, encryptPayload, passphraseIdentity, passphraseRecipient, payloadBytes } from './age-format.ts'
import { ensureRoom } from './disk-space.ts'

const firstLine = Buffer.from('age-encryption.org/v1\n')
/** Ours have less than 300 bytes. */
const mostHeaderBytes = 16 * 1024

/** Encrypts and decrypts files in the format of the program age. Its package is loaded with the first file. */
export function openEncryption(secret: BackupSecret) {
  const encrypterFor = async (): Promise<Encrypter> => {
    const { Encrypter, identityToRecipient, Stanza } = await import('age-encryption')
    const encrypter = new Encrypter()
    const makeStanza = (args: string[], body: Uint8Array) => new Stanza(args, body)
    encrypter.addRecipient(
      'passphrase' in secret ? passphraseRecipient(secret.passphrase, makeStanza) : await identityToRecipient(secret.key),
    )
    return encrypter
  }

  const decrypterFor = async (): Promise<Decrypter> => {
    const { Decrypter } = await import('age-encryption')
    const decrypter = new Decrypter()
    decrypter.addIdentity('passphrase' in secret ? passphraseIdentity(secret.passphrase) : secret.key)
    // Called when the identity before it does not match.
    decrypter.addIdentity({
      unwrapFileKey() {
        throw new Problem('secret_wrong')
      },
    })
    return decrypter
  }

  return {
    /** `bytes` is the length of the content; throws where it has another. */
    async encrypt(content: Readable, bytes: number): Promise<{ content: Readable; bytes: number }> {
      keepFaultForReader(content)
      try {
        const { header, fileKey } = await newHeader(await encrypterFor())
        const encrypted = async function* () {
          yield header
          yield* encryptPayload(exactly(bytes, content), fileKey)
        }
        return { content: asReadable(encrypted(), content), bytes: header.length + payloadBytes(bytes) }
      } catch (error) {
        content.destroy()
        throw error
      }
    },

    /** Throws at once for a wrong secret, and while it is read for a damaged file. */
    async decrypt(content: Readable): Promise<Readable> {
      keepFaultForReader(content)
      const source = watchSource(content)
      const asProblem = (error: unknown) => {
        if (source.fault()) return source.fault()
        return error instanceof Problem ? error : new Problem('sealed_file_damaged', { cause: error })
      }
      try {
        const { header, rest } = await takeHeader(source.chunks)
        const fileKey = await (await decrypterFor()).decryptHeader(header)
        const plain = async function* () {
          try {
            yield* decryptPayload(startingWith(rest, source.chunks), fileKey)
          } catch (error) {
            throw asProblem(error)
          }
        }
        return asReadable(plain(), content)
      } catch (error) {
        content.destroy()
        throw asProblem(error)
      }
    },
  }
}

/** Whether it is an age file, by its first line. */
export async function isEncrypted(file: OpenFile) {
  if (file.bytes < firstLine.length) return false
  return firstLine.equals(await file.read(0, firstLine.length))
}

/** The header of a file without content, and the key that its recipients find in it. */
async function newHeader(encrypter: Encrypter) {
  let fileKey: Uint8Array | undefined
  encrypter.addRecipient({
    wrapFileKey(key) {
      fileKey = key
      return []
    },
  })
  const empty = await encrypter.encrypt(new Uint8Array())
  if (!fileKey) throw new Error('There is no key.')
  return { header: Buffer.from(empty.subarray(0, -payloadBytes(0))), fileKey }
}

async function takeHeader(chunks: AsyncIterator<Buffer>) {
  let taken = Buffer.alloc(0)
  for (;;) {
    const lastLine = taken.indexOf('\n--- ')
    const end = lastLine < 0 ? -1 : taken.indexOf('\n', lastLine + 1)
    if (end >= 0) return { header: taken.subarray(0, end + 1), rest: taken.subarray(end + 1) }
    const next = taken.length < mostHeaderBytes ? await chunks.next() : undefined
    if (!next || next.done) throw new Problem('sealed_file_damaged')
    taken = Buffer.concat([taken, next.value])
  }
}

async function* exactly(bytes: number, content: AsyncIterable<Buffer>) {
  let seen = 0
  for await (const chunk of content) {
    seen += chunk.length
    yield chunk
  }
  if (seen !== bytes) throw new Error(`${seen} bytes came where ${bytes} were announced.`)
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>) {
  yield first
  yield* rest
}

/** Without a listener an error before the first read would end the process. The reader gets it as well. */
function keepFaultForReader(content: Readable) {
  content.on('error', () => {})
}

function asReadable(chunks: AsyncIterable<Buffer>, source: Readable) {
  const readable = Readable.from(chunks, { objectMode: false })
  // Also while a read of the source is pending.
  readable.once('close', () => source.destroy())
  return readable
}

type Parts = { storage: Storage; secret: BackupSecret | undefined }

/** Passes on the file, decrypted if it is encrypted; only after all of it was authenticated. */
export async function withPlainFile<T>(
  file: OpenFile,
  { storage, secret }: Parts,
  use: (file: OpenFile) => Promise<T>,
): Promise<T> {
  if (!(await isEncrypted(file))) return use(file)
  return withDecrypted(file, { storage, secret }, async (draft) => {
    const plain = await draft.open()
    return use(plain).finally(() => plain.close())
  })
}

/** Decrypts a file into a draft, which is dropped in the end unless `use` keeps it. */
export async function withDecrypted<T>(encrypted: OpenFile, { storage, secret }: Parts, use: (draft: Draft) => Promise<T>) {
  if (!secret) throw new Problem('secret_missing')
  await ensureRoom(storage, encrypted.bytes)
  const draft = storage.newDraft()
  try {
    const content = await openEncryption(secret).decrypt(Readable.from(piecesOf(encrypted), { objectMode: false }))
    await draft.write(content).catch((error: unknown) => {
      throw asDiskProblem(error)
    })
    return await use(draft)
  } finally {
    await draft.drop()
  }
}
