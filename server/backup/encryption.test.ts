import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { createCompleteBackup, downloadBackup } from '#contract/backups.ts'
import type { BackupSecret } from '#server/config.ts'
import { asOpenFile } from '#tests/backups.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { openTestApp } from '#tests/test-app.ts'
import { openTestStorage } from '#tests/test-storage.ts'
import { findAge } from '../../scripts/test-tools.ts'
import { openEncryption, withPlainFile } from './encryption.ts'

const passphrase = 'correct horse battery staple'
const kilobyte = 1024

async function encrypt(secret: BackupSecret, content: Buffer) {
  const encrypted = await openEncryption(secret).encrypt(Readable.from([content], { objectMode: false }), content.length)
  const bytes = await buffer(encrypted.content)
  expect(bytes.length).toBe(encrypted.bytes)
  return bytes
}

async function decrypt(secret: BackupSecret, encrypted: Buffer) {
  return buffer(openEncryption(secret).decrypt(Readable.from(inPieces(encrypted), { objectMode: false })))
}

const content = randomBytes(300 * kilobyte)
let encrypting: Promise<Buffer> | undefined

/** With the passphrase, which takes a second to stretch. */
function encryptedOnce() {
  encrypting ??= encrypt({ passphrase }, content)
  return encrypting
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
  // Around the 64 KB of a piece.
  for (const size of [0, 1, 64 * kilobyte - 1, 64 * kilobyte, 64 * kilobyte + 1, 300 * kilobyte]) {
    const content = randomBytes(size)
    expect(content.equals(await decrypt(key, await encrypt(key, content)))).toBe(true)
  }
})

test('another secret is told from a damaged file', async () => {
  const key = { key: await generateX25519Identity() }
  const byPassphrase = await encryptedOnce()
  const byKey = await encrypt(key, Buffer.from('a galleon'))
  for (const [secret, file] of [
    [{ passphrase: 'another one entirely' }, byPassphrase],
    [key, byPassphrase],
    [{ key: await generateX25519Identity() }, byKey],
    [{ passphrase }, byKey],
  ] as const) {
    expect(await codeOf(decrypt(secret, file))).toBe('secret_wrong')
  }
})

test('a file that is cut, longer or changed is damaged, wherever it is', async () => {
  const secret = { key: await generateX25519Identity() }
  const encrypted = await encrypt(secret, randomBytes(200 * kilobyte))
  const header = encrypted.indexOf('\n', encrypted.indexOf('\n--- ') + 1) + 1
  const pieces = [0, 1, 2, 3].map((count) => header + 16 + count * (64 * kilobyte + 16))
  const cuts = [0, 5, header - 1, header, header + 7, ...pieces, encrypted.length - 1].map((end) => encrypted.subarray(0, end))
  for (const damaged of [...cuts, Buffer.concat([encrypted, Buffer.from('x')])]) {
    expect([damaged.length, await codeOf(decrypt(secret, damaged))]).toEqual([damaged.length, 'file_damaged'])
  }
  const inHeader = Array.from({ length: header / 3 }, (_, at) => 3 * at)
  for (const at of [...inHeader, ...pieces, encrypted.length - 20, encrypted.length - 1]) {
    const damaged = Buffer.from(encrypted)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    // The line that names the recipient cannot be told from that of another.
    const codes = at < header ? ['file_damaged', 'secret_wrong'] : ['file_damaged']
    expect([at, codes]).toEqual([at, expect.arrayContaining([await codeOf(decrypt(secret, damaged))])])
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
  const decrypted = buffer(encryption.decrypt(Readable.from(cut(encrypted.subarray(0, 100_000)))))
  await expect(decrypted).rejects.toThrow('line went dead')
  const half = await encryption.encrypt(Readable.from(cut(encrypted), { objectMode: false }), 2 * encrypted.length)
  await expect(buffer(half.content)).rejects.toThrow('line went dead')
  // Nor does an error before anything is read end the process.
  const failed = new Readable({ read() {} })
  const encrypting = encryption.encrypt(failed, kilobyte)
  failed.destroy(new Error('the line went dead'))
  await expect(encrypting.then(({ content }) => buffer(content))).rejects.toThrow('line went dead')
})

test('8 MB pass through a few of them at a time', async () => {
  const encryption = openEncryption({ key: await generateX25519Identity() })
  const piece = randomBytes(256 * kilobyte)
  const ahead = { read: 0, taken: 0, most: 0 }
  async function* pieces() {
    for (let count = 0; count < 32; count += 1) {
      ahead.read += piece.length
      ahead.most = Math.max(ahead.most, ahead.read - ahead.taken)
      yield piece
    }
  }
  const encrypted = await encryption.encrypt(Readable.from(pieces(), { objectMode: false }), 32 * piece.length)
  for await (const chunk of encryption.decrypt(encrypted.content)) ahead.taken += chunk.length
  expect(ahead.taken).toBe(32 * piece.length)
  expect(ahead.most).toBeLessThan(4 * 1024 * kilobyte)
})

test('a file is decrypted into a draft of which nothing is left, and a costly one is refused', async () => {
  const storage = await openTestStorage('folder')
  const key = { key: await generateX25519Identity() }
  const [encrypted, byPassphrase] = [await encrypt(key, content), await encryptedOnce()]
  const passOn = (file: Buffer, secret: BackupSecret | undefined) =>
    withPlainFile(asOpenFile(file), { storage, secret }, async (plain) => {
      expect(await storage.list('incoming')).toHaveLength(file === content ? 0 : 1)
      expect(content.equals(await plain.read(0, plain.bytes))).toBe(true)
    })
  await passOn(encrypted, key)
  await passOn(content, undefined)
  const withFactor = (factor: number) =>
    Buffer.from(byPassphrase.toString('latin1').replace(/(-> scrypt \S+) 16\n/, `$1 ${factor}\n`), 'latin1')
  const endless = Buffer.concat([encrypted.subarray(0, 30), Buffer.alloc(100 * kilobyte, 'x')])
  for (const [file, secret, code] of [
    [encrypted, undefined, 'secret_wrong'],
    [withFactor(19), { passphrase }, 'file_too_large'],
    [withFactor(99_999), { passphrase }, 'file_too_large'],
    [endless, key, 'file_damaged'],
    [encrypted.subarray(0, -1), key, 'file_damaged'],
  ] as const) {
    expect(await codeOf(passOn(file, secret))).toBe(code)
  }
  expect(await storage.list('incoming')).toEqual([])
})

test("Debian's age decrypts what we encrypted, and we decrypt what it encrypted, for several keys or with a passphrase", async () => {
  const age = findAge() ?? 'age'
  const folder = await temporaryFolder()
  const read = (name: string) => readFile(path.join(folder, name))
  const key = await generateX25519Identity()
  await writeFile(path.join(folder, 'key.txt'), key)
  await writeFile(path.join(folder, 'by-key.age'), await encrypt({ key }, content))
  await writeFile(path.join(folder, 'by-passphrase.age'), await encryptedOnce())
  const [other, own] = await Promise.all([await generateX25519Identity(), key].map(identityToRecipient))
  await typed(folder, `${age} -d -i key.txt -o one by-key.age`)
  await typed(folder, `${age} -d -o two by-passphrase.age`, `${passphrase}\n`)
  expect([content.equals(await read('one')), content.equals(await read('two'))]).toEqual([true, true])
  await typed(folder, `${age} -r ${other} -r ${own} -o for-keys.age one`)
  await typed(folder, `${age} -p -o typed.age one`, `${passphrase}\n${passphrase}\n`)
  expect(content.equals(await decrypt({ key }, await read('for-keys.age')))).toBe(true)
  expect(content.equals(await decrypt({ passphrase }, await read('typed.age')))).toBe(true)
})

/** It asks for a passphrase at a terminal only. */
async function typed(cwd: string, command: string, answers = '') {
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd })
  child.stdin.end(answers)
  const said = text(child.stdout)
  const [code] = await once(child, 'close')
  expect(code, await said).toBe(0)
}

test('a download is cut off when a file cannot be read to its end', async () => {
  const storage = await openTestStorage('folder')
  async function* cut(content: Readable) {
    yield* content
    throw new Error('the disk went away')
  }
  const stream: typeof storage.stream = async (name) => {
    const stored = await storage.stream(name)
    return stored && { ...stored, content: Readable.from(cut(stored.content), { objectMode: false }) }
  }
  const site = await openTestApp('sqlite', {
    storage: { ...storage, stream },
    config: { backupSecret: { key: await generateX25519Identity() } },
  })
  const maker = await site.signedIn()
  const { filename } = await site.ask(createCompleteBackup, { as: maker })
  const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `${address}${downloadBackup.path.replace(':filename', filename)}`
  const sent = await fetch(url, { headers: { cookie: maker.cookie } })
  await expect(sent.arrayBuffer()).rejects.toThrow('terminated')
})
