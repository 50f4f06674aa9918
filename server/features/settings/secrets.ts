import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '#server/config.ts'

type KeyPlace = Pick<Config, 'dataDir' | 'secretKeyFile'>

const cipher = 'aes-256-gcm'
const [ivLength, tagLength] = [12, 16]
const leastKey = 32

/** Encrypts a password for the database. `name` keeps one from being used in the place of another. */
export function encryptSecret(text: string, name: string, place: KeyPlace): string {
  const iv = randomBytes(ivLength)
  const encrypting = createCipheriv(cipher, readKey(place) ?? makeKey(place), iv).setAAD(Buffer.from(name))
  const encrypted = Buffer.concat([encrypting.update(text, 'utf8'), encrypting.final()])
  return Buffer.concat([iv, encrypting.getAuthTag(), encrypted]).toString('base64')
}

/** Undefined when it was encrypted with another key, or the key cannot be read. */
export function decryptSecret(encrypted: string, name: string, place: KeyPlace): string | undefined {
  const bytes = Buffer.from(encrypted, 'base64')
  try {
    const key = readKey(place)
    if (!key) return undefined
    const decrypting = createDecipheriv(cipher, key, bytes.subarray(0, ivLength), { authTagLength: tagLength })
    decrypting.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(ivLength, ivLength + tagLength))
    return Buffer.concat([decrypting.update(bytes.subarray(ivLength + tagLength)), decrypting.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

const ownFile = (dataDir: string) => path.join(dataDir, 'secret.key')

/** Undefined where there is none yet. Fails where there is one that cannot be read: a new one would replace it. */
function readKey({ dataDir, secretKeyFile }: KeyPlace) {
  const file = secretKeyFile ?? ownFile(dataDir)
  if (!secretKeyFile && !existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8').trim()
  if (text.length < leastKey) throw new Error(`The key in ${file} is shorter than ${leastKey} characters.`)
  return keyOf(text)
}

const keyOf = (text: string) => createHash('sha256').update(text).digest()

/** On the disk before a password is encrypted with it. Another process may make one at the same time: the first one counts. */
function makeKey(place: KeyPlace) {
  const file = ownFile(place.dataDir)
  const unfinished = `${file}.${randomUUID()}`
  mkdirSync(place.dataDir, { recursive: true })
  try {
    writeFileSync(unfinished, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
    linkSync(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
  const key = readKey(place)
  if (!key) throw new Error(`${file} was removed while it was made.`)
  return key
}
