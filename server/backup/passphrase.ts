import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Identity, Recipient, Stanza } from 'age-encryption'
import { Problem } from '#server/http/problem.ts'

/**
 * The passphrases of age, with Node's own scrypt: outside of the thread that serves visitors, and outside of its heap. Ours
 * needs 64 MB for a moment; the program age writes 18 (256 MB), which is the most a small machine can spare.
 */
const workFactor = { written: 16, most: 18 }
const cipherName = 'chacha20-poly1305'
const tag = 16
const saltBytes = 16
const label = Buffer.from('age-encryption.org/v1/scrypt')

type MakeStanza = (args: string[], body: Uint8Array) => Stanza

export function passphraseRecipient(passphrase: string, makeStanza: MakeStanza): Recipient {
  return {
    async wrapFileKey(fileKey) {
      const salt = randomBytes(saltBytes)
      const key = await deriveKey(passphrase, salt, workFactor.written)
      const cipher = createCipheriv(cipherName, key, Buffer.alloc(12), { authTagLength: tag })
      const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
      return [makeStanza(['scrypt', withoutPadding(salt), String(workFactor.written)], body)]
    },
  }
}

export function passphraseIdentity(passphrase: string): Identity {
  return {
    async unwrapFileKey(stanzas) {
      const [found] = stanzas
      if (found?.args[0] !== 'scrypt' || stanzas.length !== 1) return null
      const [, saltText = '', factor = ''] = found.args
      const salt = Buffer.from(saltText, 'base64')
      const isWritten = withoutPadding(salt) === saltText && salt.length === saltBytes && /^[1-9]\d*$/.test(factor)
      if (!isWritten || found.args.length !== 3 || found.body.length !== 16 + tag) throw new Error('Not a scrypt stanza.')
      if (Number(factor) > workFactor.most) throw new Problem('sealed_too_costly')
      const decipher = createDecipheriv(cipherName, await deriveKey(passphrase, salt, Number(factor)), Buffer.alloc(12), {
        authTagLength: tag,
      })
      decipher.setAuthTag(found.body.subarray(-tag))
      const fileKey = decipher.update(found.body.subarray(0, -tag))
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
