import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '#server/config.ts'

type KeyPlace = Pick<Config, 'dataDir' | 'secretKeyFile'>

const cipher = 'aes-256-gcm'
const [ivLength, tagLength] = [12, 16]
/** A shorter key was cut off while it was written. */
const leastKey = 32

/** Encrypts a password for the database. `name` keeps one from being used in the place of another. */
export function encryptSecret(text: string, name: string, place: KeyPlace): string {
  const iv = randomBytes(ivLength)
  const encrypting = createCipheriv(cipher, readKey(place) ?? makeKey(place), iv).setAAD(Buffer.from(name))
  const encrypted = Buffer.concat([encrypting.update(text, 'utf8'), encrypting.final()])
  return Buffer.concat([iv, encrypting.getAuthTag(), encrypted]).toString('base64')
}

/** Undefined when it was encrypted with another key, or the key is gone. */
export function decryptSecret(encrypted: string, name: string, place: KeyPlace): string | undefined {
  const key = readKey(place)
  if (!key) return undefined
  const bytes = Buffer.from(encrypted, 'base64')
  try {
    const decrypting = createDecipheriv(cipher, key, bytes.subarray(0, ivLength), { authTagLength: tagLength })
    decrypting.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(ivLength, ivLength + tagLength))
    return Buffer.concat([decrypting.update(bytes.subarray(ivLength + tagLength)), decrypting.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

const ownFile = (dataDir: string) => path.join(dataDir, 'secret.key')

function readKey({ dataDir, secretKeyFile }: KeyPlace) {
  try {
    const text = readFileSync(secretKeyFile ?? ownFile(dataDir), 'utf8').trim()
    return text.length < leastKey ? undefined : keyOf(text)
  } catch {
    return undefined
  }
}

const keyOf = (text: string) => createHash('sha256').update(text).digest()

/** On the disk before a password is encrypted with it. */
function makeKey({ dataDir, secretKeyFile }: KeyPlace) {
  if (secretKeyFile) throw new Error('The file that SECRET_KEY_FILE names cannot be read any more.')
  const text = randomBytes(32).toString('base64')
  const file = ownFile(dataDir)
  mkdirSync(dataDir, { recursive: true })
  const unfinished = openSync(`${file}.new`, 'w', 0o600)
  writeSync(unfinished, `${text}\n`)
  fsyncSync(unfinished)
  closeSync(unfinished)
  renameSync(`${file}.new`, file)
  return keyOf(text)
}
