import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Identity, Recipient, Stanza } from 'age-encryption'
import { Problem } from '#server/http/problem.ts'

/**
 * What follows the header of an age file (https://age-encryption.org/v1): a nonce, and the content in numbered pieces, each
 * with a tag of its own and the last one marked. The package does the same in JavaScript, on the thread that serves
 * visitors, and needs five times as long.
 */
const cipherName = 'chacha20-poly1305'
const piece = 64 * 1024
const tag = 16
const nonceBytes = 16

export function payloadBytes(content: number) {
  return nonceBytes + content + tag * Math.max(1, Math.ceil(content / piece))
}

export async function* encryptPayload(content: AsyncIterable<Uint8Array>, fileKey: Uint8Array): AsyncGenerator<Buffer> {
  const nonce = randomBytes(nonceBytes)
  const key = keyOf(fileKey, nonce)
  yield nonce
  for await (const { bytes, number, isLast } of piecesIn(content, piece)) {
    const cipher = createCipheriv(cipherName, key, nonceOf(number, isLast), { authTagLength: tag })
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/** Throws at a piece that was changed, and at an early end. */
export async function* decryptPayload(payload: AsyncIterable<Uint8Array>, fileKey: Uint8Array): AsyncGenerator<Buffer> {
  let key: Buffer | undefined
  const content = piecesAfter(nonceBytes, payload, (nonce) => {
    key = keyOf(fileKey, nonce)
  })
  for await (const { bytes, number, isLast } of piecesIn(content, piece + tag)) {
    if (!key || bytes.length < tag) throw new Error('The payload ends before it should.')
    const decipher = createDecipheriv(cipherName, key, nonceOf(number, isLast), { authTagLength: tag })
    decipher.setAuthTag(bytes.subarray(-tag))
    const plain = Buffer.concat([decipher.update(bytes.subarray(0, -tag)), decipher.final()])
    if (plain.length === 0 && number > 0) throw new Error('The last piece is empty.')
    yield plain
  }
}

function keyOf(fileKey: Uint8Array, nonce: Uint8Array) {
  return Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32))
}

function nonceOf(number: number, isLast: boolean) {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** In pieces of one size; only the last one may be smaller. The memory of a piece is used again for the next. */
async function* piecesIn(content: AsyncIterable<Uint8Array>, size: number) {
  const memory = Buffer.allocUnsafeSlow(size)
  let filled = 0
  let number = 0
  for await (const chunk of content) {
    for (let rest = chunk; rest.length > 0; ) {
      if (filled === size) {
        yield { bytes: memory, number, isLast: false }
        number += 1
        filled = 0
      }
      const taken = rest.subarray(0, size - filled)
      memory.set(taken, filled)
      filled += taken.length
      rest = rest.subarray(taken.length)
    }
  }
  yield { bytes: memory.subarray(0, filled), number, isLast: true }
}

/** Passes the first bytes to `take`, and yields the rest. */
async function* piecesAfter(count: number, content: AsyncIterable<Uint8Array>, take: (first: Buffer) => void) {
  let first: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of content) {
    if (!first) {
      yield chunk
      continue
    }
    first = Buffer.concat([first, chunk])
    if (first.length < count) continue
    take(first.subarray(0, count))
    yield first.subarray(count)
    first = undefined
  }
}

/**
 * The passphrases of age, with Node's own scrypt: outside of the thread that serves visitors, and outside of its heap. Ours
 * needs 64 MB for a moment; the program age writes 18 (256 MB), which is the most a small machine can spare.
 */
const workFactor = { ours: 16, most: 18 }
const saltBytes = 16
const label = Buffer.from('age-encryption.org/v1/scrypt')

type MakeStanza = (args: string[], body: Uint8Array) => Stanza

export function passphraseRecipient(passphrase: string, makeStanza: MakeStanza): Recipient {
  return {
    async wrapFileKey(fileKey) {
      const salt = randomBytes(saltBytes)
      const key = await deriveKey(passphrase, salt, workFactor.ours)
      const cipher = createCipheriv(cipherName, key, Buffer.alloc(12), { authTagLength: tag })
      const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
      return [makeStanza(['scrypt', withoutPadding(salt), String(workFactor.ours)], body)]
    },
  }
}

export function passphraseIdentity(passphrase: string): Identity {
  return {
    async unwrapFileKey(stanzas) {
      const [stanza] = stanzas
      if (stanza?.args[0] !== 'scrypt' || stanzas.length !== 1) return null
      const [, saltText = '', factor = ''] = stanza.args
      const salt = Buffer.from(saltText, 'base64')
      const isCanonical = withoutPadding(salt) === saltText && salt.length === saltBytes && /^[1-9]\d*$/.test(factor)
      if (!isCanonical || stanza.args.length !== 3 || stanza.body.length !== 16 + tag) throw new Error('Not a scrypt stanza.')
      if (Number(factor) > workFactor.most) throw new Problem('sealed_too_costly')
      const decipher = createDecipheriv(cipherName, await deriveKey(passphrase, salt, Number(factor)), Buffer.alloc(12), {
        authTagLength: tag,
      })
      decipher.setAuthTag(stanza.body.subarray(-tag))
      const fileKey = decipher.update(stanza.body.subarray(0, -tag))
      try {
        decipher.final()
      } catch {
        return null
      }
      return fileKey
    },
  }
}

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)
let turn: Promise<unknown> = Promise.resolve()

/** One at a time: several would need more memory than there is. */
function deriveKey(passphrase: string, salt: Buffer, factor: number) {
  const N = 2 ** factor
  const options = { N, r: 8, p: 1, maxmem: N * 1024 + 1024 * 1024 }
  const key = turn.then(() => derive(passphrase, Buffer.concat([label, salt]), 32, options))
  turn = key.catch(() => {})
  return key
}

function withoutPadding(bytes: Buffer) {
  return bytes.toString('base64').replace(/=+$/, '')
}
