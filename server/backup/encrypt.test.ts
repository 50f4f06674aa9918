import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, test } from 'vitest'
import type { BackupSecret } from '#server/config.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { findAge } from '../../scripts/test-tools.ts'
import { isEncrypted, openEncryption } from './encrypt.ts'

const passphrase = 'correct horse battery staple'
const kilobyte = 1024
/** Around the 64 KB of a piece. */
const sizes = [0, 1, 64 * kilobyte - 1, 64 * kilobyte, 64 * kilobyte + 1, 300 * kilobyte]

async function encrypt(secret: BackupSecret, content: Buffer) {
  const encrypted = await openEncryption(secret).encrypt(Readable.from([content], { objectMode: false }), content.length)
  const bytes = await buffer(encrypted.content)
  expect(bytes.length).toBe(encrypted.bytes)
  return bytes
}

async function decrypt(secret: BackupSecret, encrypted: Buffer) {
  return buffer(await openEncryption(secret).decrypt(Readable.from(inPieces(encrypted), { objectMode: false })))
}

/** Quicker than comparing them number by number. */
function expectSame(found: Buffer, content: Buffer) {
  expect(found.equals(content)).toBe(true)
}

/** As they come over a line: of any size. */
function* inPieces(content: Buffer) {
  for (let at = 0, size = 1; at < content.length; at += size, size = (size * 7) % 100_003) yield content.subarray(at, at + size)
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'whole',
    (error: { code?: string }) => error.code ?? String(error),
  )

test('what was encrypted is decrypted with the same secret, whatever its size, and its size is known beforehand', async () => {
  const key = { key: await generateX25519Identity() }
  const contents = sizes.map((size) => randomBytes(size))
  for (const content of contents) expectSame(await decrypt(key, await encrypt(key, content)), content)
  const [, content = Buffer.alloc(0)] = contents
  expectSame(await decrypt({ passphrase }, await encrypt({ passphrase }, content)), content)
})

test('another secret is told from a damaged file', async () => {
  const key = { key: await generateX25519Identity() }
  const others = { passphrase: { passphrase: 'another one entirely' }, key: { key: await generateX25519Identity() } }
  const content = Buffer.from('a galleon')
  const byPassphrase = await encrypt({ passphrase }, content)
  const byKey = await encrypt(key, content)
  expect(await codeOf(decrypt(others.passphrase, byPassphrase))).toBe('secret_wrong')
  expect(await codeOf(decrypt(key, byPassphrase))).toBe('secret_wrong')
  expect(await codeOf(decrypt(others.key, byKey))).toBe('secret_wrong')
  expect(await codeOf(decrypt({ passphrase }, byKey))).toBe('secret_wrong')
})

test('a file that ends too early is damaged, wherever it ends', async () => {
  const secret = { key: await generateX25519Identity() }
  const encrypted = await encrypt(secret, randomBytes(200 * kilobyte))
  const header = encrypted.indexOf('\n', encrypted.indexOf('\n--- ') + 1) + 1
  const pieces = [1, 2, 3].map((count) => header + 16 + count * (64 * kilobyte + 16))
  for (const end of [0, 5, 22, header - 1, header, header + 7, header + 16, header + 17, ...pieces, encrypted.length - 1]) {
    expect([end, await codeOf(decrypt(secret, encrypted.subarray(0, end)))]).toEqual([end, 'sealed_file_damaged'])
  }
  expect(await codeOf(decrypt(secret, Buffer.concat([encrypted, Buffer.from('x')])))).toBe('sealed_file_damaged')
})

test('a byte that is another is noticed, wherever it is', async () => {
  const secret = { key: await generateX25519Identity() }
  const encrypted = await encrypt(secret, randomBytes(130 * kilobyte))
  const header = encrypted.indexOf('\n', encrypted.indexOf('\n--- ') + 1) + 1
  const inHeader = Array.from({ length: header }, (_, at) => at)
  const inPayload = [0, 15, 16, 5_000, 64 * kilobyte + 20, 66 * kilobyte + 40].map((at) => header + at)
  for (const at of [...inHeader, ...inPayload, encrypted.length - 20, encrypted.length - 1]) {
    const damaged = Buffer.from(encrypted)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    const code = await codeOf(decrypt(secret, damaged))
    // The line that names the recipient cannot be told from that of another.
    expect([at, at < header ? ['sealed_file_damaged', 'secret_wrong'] : ['sealed_file_damaged']]).toEqual([
      at,
      expect.arrayContaining([code]),
    ])
  }
})

test('a source that fails is not taken for a damaged file, nor its part for the whole', async () => {
  const secret = { key: await generateX25519Identity() }
  const encrypted = await encrypt(secret, randomBytes(200 * kilobyte))
  async function* cut(content: Buffer) {
    yield content
    throw new Error('the line went dead')
  }
  const encryption = openEncryption(secret)
  await expect(buffer(await encryption.decrypt(Readable.from(cut(encrypted.subarray(0, 100_000)))))).rejects.toThrow(
    'line went dead',
  )
  const half = await encryption.encrypt(Readable.from(cut(encrypted), { objectMode: false }), 2 * encrypted.length)
  await expect(buffer(half.content)).rejects.toThrow('line went dead')
  const short = await encryption.encrypt(Readable.from([encrypted], { objectMode: false }), 2 * encrypted.length)
  await expect(buffer(short.content)).rejects.toThrow('were announced')
})

test('what is left unread lets go of its source', async () => {
  const source = Readable.from([randomBytes(kilobyte)], { objectMode: false })
  const { content } = await openEncryption({ key: await generateX25519Identity() }).encrypt(source, kilobyte)
  content.destroy()
  await once(source, 'close')
  expect(source.destroyed).toBe(true)
})

test('64 MB pass through a few of them at a time', async () => {
  const encryption = openEncryption({ key: await generateX25519Identity() })
  const piece = randomBytes(256 * kilobyte)
  const ahead = { given: 0, taken: 0, most: 0 }
  async function* pieces() {
    for (let count = 0; count < 256; count += 1) {
      ahead.given += piece.length
      ahead.most = Math.max(ahead.most, ahead.given - ahead.taken)
      yield piece
    }
  }
  const encrypted = await encryption.encrypt(Readable.from(pieces(), { objectMode: false }), 256 * piece.length)
  for await (const chunk of await encryption.decrypt(encrypted.content)) ahead.taken += chunk.length
  expect(ahead.taken).toBe(256 * piece.length)
  expect(ahead.most).toBeLessThan(4 * 1024 * kilobyte)
})

test('an encrypted file is recognized by its content', async () => {
  const open = (content: Buffer) => ({
    bytes: content.length,
    read: async (start: number, bytes: number) => content.subarray(start, start + bytes),
    close: async () => {},
  })
  expect(await isEncrypted(open(await encrypt({ passphrase }, Buffer.from('x'))))).toBe(true)
  expect(await isEncrypted(open(Buffer.from('PK\u0003\u0004 a long enough archive')))).toBe(false)
  expect(await isEncrypted(open(Buffer.from('age')))).toBe(false)
})

test('the package opens ours, and one that would need too much memory is refused', async () => {
  const content = randomBytes(100 * kilobyte)
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  expectSame(Buffer.from(await decrypter.decrypt(await encrypt({ passphrase }, content))), content)
  const costly = Buffer.from(String(await encrypt({ passphrase }, Buffer.alloc(0))).replace(/(-> scrypt \S+) 16\n/, '$1 19\n'))
  expect(await codeOf(decrypt({ passphrase }, costly))).toBe('sealed_too_costly')
})

describe("Debian's age", () => {
  const age = findAge() ?? 'age'
  const run = promisify(execFile)

  test('decrypts what we encrypted for a key, and we decrypt what it encrypted', async () => {
    const folder = await temporaryFolder()
    const [keyFile, ours, opened, theirs] = ['key.txt', 'ours.age', 'opened', 'theirs.age'].map((name) =>
      path.join(folder, name),
    )
    if (!keyFile || !ours || !opened || !theirs) throw new Error('unreachable')
    const key = await generateX25519Identity()
    const content = randomBytes(300 * kilobyte)
    await writeFile(keyFile, key)
    await writeFile(ours, await encrypt({ key }, content))
    await run(age, ['-d', '-i', keyFile, '-o', opened, ours])
    expectSame(await readFile(opened), content)
    await run(age, ['-r', await identityToRecipient(key), '-o', theirs, opened])
    expectSame(await decrypt({ key }, await readFile(theirs)), content)
  })

  test('decrypts what we encrypted with a passphrase, and we decrypt what it encrypted', async () => {
    const folder = await temporaryFolder()
    const content = randomBytes(300 * kilobyte)
    await writeFile(path.join(folder, 'ours.age'), await encrypt({ passphrase }, content))
    await typed(folder, `${age} -d -o opened ours.age`, `${passphrase}\n`)
    expectSame(await readFile(path.join(folder, 'opened')), content)
    await typed(folder, `${age} -p -o theirs.age opened`, `${passphrase}\n${passphrase}\n`)
    expectSame(await decrypt({ passphrase }, await readFile(path.join(folder, 'theirs.age'))), content)
  })

  /** It asks for a passphrase at a terminal only. */
  async function typed(cwd: string, command: string, answers: string) {
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd })
    child.stdin.end(answers)
    const said = text(child.stdout)
    const [code] = await once(child, 'close')
    expect(code, await said).toBe(0)
  }
})

test('what the package encrypts for several is opened by one of them', async () => {
  const [key, other] = await Promise.all([generateX25519Identity(), generateX25519Identity()])
  const encrypter = new Encrypter()
  for (const each of [other, key]) encrypter.addRecipient(await identityToRecipient(each))
  expect(await decrypt({ key }, Buffer.from(await encrypter.encrypt('a galleon')))).toEqual(Buffer.from('a galleon'))
})
