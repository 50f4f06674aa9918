import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { backupVersion, exportData, importData, restoreComplete } from '#contract/backups.ts'
import { StorageFailed } from '#server/storage/storage.ts'
import { anExport, archiveEntries, asOpenFile, backupCalls, everythingIn, fill, formWith } from '#tests/backups.ts'
import { aContact, aProject, aStoredProject } from '#tests/factories.ts'
import { rawZip } from '#tests/raw-zip.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { openBackupFile } from './read-backup.ts'

async function openSite() {
  const site = await openTestApp('sqlite')
  return { ...site, ...(await backupCalls(site)) }
}

const project = aStoredProject()
const exportOf = (data: unknown) => asOpenFile(Buffer.from(JSON.stringify(data)))

// Before the database or the storage is asked: the same on every site.
describe('refused politely', () => {
  test.each([
    ['an empty object', {}, 'not_a_backup', /no projects, messages/],
    ['a list where an object belongs', { projects: {} }, 'not_a_backup', /projects.+not_a_list/],
    ['another program’s file', { format: 'wordpress', projects: [] }, 'not_a_backup', /format/],
    ['an unknown part', { projects: [], accounts: [] }, 'not_a_backup', /accounts/],
    ['two records of one id', { projects: [project, project] }, 'file_damaged', new RegExp(project.id)],
  ])('an export with %s', async (_, data, code, cause) => {
    const expected = { code, details: { cause: expect.stringMatching(cause) } }
    await expect(openBackupFile(exportOf(data), 'export.json')).rejects.toMatchObject(expected)
  })

  test.each([
    ['{"__proto__":{"admin":true},"projects":[]}', 'not_a_backup'],
    ['{"projects":[{"constructor":{"prototype":{}}}]}', 'record_refused'],
    ['[1]', 'not_a_backup'],
    ['"text"', 'not_a_backup'],
    ['PK', 'not_a_backup'],
    ['', 'not_a_backup'],
    ['{', 'file_damaged'],
    ['{"projects":[]} x', 'file_damaged'],
    [`{"projects":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`, 'file_damaged'],
  ])('an export of %.50s', async (text, code) => {
    await expect(openBackupFile(asOpenFile(Buffer.from(text)), 'export.json')).rejects.toMatchObject({ code })
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test.each([
    ['a wrong type', { title: 7 }, /Project 2 \(“7”\), title: this is missing, empty or not text/],
    ['an object for the title', { title: { toString: 1 } }, /Project 2, title: this is missing/],
    ['an unknown field', { price: 9 }, /Project 2 \(“.+”\): unknown fields: price\./],
    ['an absurd length', { title: 'x'.repeat(201) }, /Project 2 \(“x{80}”\), title: use at most 200 characters/],
    ['a photo from anywhere', { imageUrl: 'javascript:alert(1)' }, /Project 2 \(“.+”\), photo: use a photo uploaded here/],
    ['an id that is none', { id: '1; drop' }, /Project 2 \(“.+”\), id: this is not an id/],
    ['a moment that never was', { createdAt: '2026-02-31T25:00:00Z' }, /Project 2 \(“.+”\), date: this is not a date/],
    ['a year that only one of the databases knows', { createdAt: '0000-01-01T00:00:00Z' }, /date: this is not a date/],
  ])('an export with %s, by the record and the field', async (_, change, sentence) => {
    const data = exportOf({ projects: [aProject(), { ...aProject(), ...change }] })
    const refused = await openBackupFile(data, 'export.json').catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'record_refused', message: expect.stringMatching(sentence) })
    expect((refused as Error).message).toContain('Nothing was changed.')
  })

  test('an import, with the number and the name of its record, and nothing is changed', async () => {
    const site = await openSite()
    const before = await everythingIn(site)
    const { description: _left, ...rest } = aProject({ title: 'Galleon' })
    const response = await site.call(importData, { body: { projects: [rest] }, ...site.as })
    expect({ status: response.statusCode, ...response.json() }).toEqual({
      status: 422,
      message:
        'That file cannot be restored or imported. Project 1 (“Galleon”), description: this is missing, empty or not text. Nothing was changed.',
      code: 'record_refused',
      details: { reason: 'record', list: 'projects', number: 1, title: 'Galleon', field: 'description', fault: 'missing' },
    })
    expect(await everythingIn(site)).toEqual(before)
  })

  test('an export of a newer version', async () => {
    const newer = exportOf({ ...anExport(), version: backupVersion + 1, chapters: [] })
    await expect(openBackupFile(newer, 'export.json')).rejects.toMatchObject({
      code: 'backup_too_new',
      message: expect.stringContaining('Update the site first'),
      details: { version: backupVersion + 1, newest: backupVersion },
    })
  })

  test('an import larger than the page takes', async () => {
    const site = await openSite()
    const response = await site.app.inject({
      method: 'POST',
      url: importData.path,
      headers: { cookie: site.as.as.cookie, 'content-type': 'application/json', 'content-length': String(65 * 1024 * 1024) },
      payload: '{',
    })
    expect(response.json()).toMatchObject({ code: 'import_too_large', message: expect.stringContaining('npm run restore') })
  })

  const x = Buffer.from('x')
  const note = `--a-boundary-of-the-tests\r\ncontent-disposition: form-data; name="note"\r\n\r\n${'x'.repeat(500_000)}\r\n`
  const full = { ...formWith(x), body: Buffer.concat([Buffer.from(note.repeat(30)), formWith(x).body]) }
  const brokenOff = { ...formWith(Buffer.alloc(10_000)), body: formWith(Buffer.alloc(10_000)).body.subarray(0, 5_000) }
  const ofType = (type: string) => ({ headers: { 'content-type': type }, body: Buffer.from('{}') })
  const forms = [
    ['a file of another name', formWith(x, { filename: 'photos.rar' }), 400, /^Please select a ZIP file$/],
    ['a field of another name', formWith(x, { field: 'file' }), 400, /^Please select a ZIP file$/],
    ['a form full of other things, long before they would fill the memory', full, 422, /damaged or incomplete/],
    ['text', ofType('text/plain'), 415, /^This address accepts only a form with a file\.$/],
    ['JSON', ofType('application/json'), 415, /^This address accepts only a form with a file\.$/],
    ['a form that breaks off', brokenOff, 422, /damaged or incomplete/],
  ] as const
  test('a form with anything but a backup', async () => {
    const site = await openSite()
    for (const [name, form, status, message] of forms) {
      const response = await site.call(restoreComplete, { ...form, ...site.as })
      expect([name, response.statusCode, response.json().message]).toEqual([name, status, expect.stringMatching(message)])
      expect(await site.storage.list('incoming')).toEqual([])
    }
  })

  /** The answer to a file that is far too large for the buffers on its way, once all of it has been sent. */
  async function answerOverARealLine(site: TestApp & { as: { as: { cookie: string } } }, filename: string) {
    await site.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = site.app.server.address() as AddressInfo
    const form = formWith(Buffer.alloc(16 * 1024 * 1024), { filename })
    const headers = { ...form.headers, cookie: site.as.as.cookie, 'content-length': form.body.length }
    const line = request({ port, method: restoreComplete.method, path: restoreComplete.path, headers })
    const answered = once(line, 'response')
    const sent = once(line, 'finish')
    line.end(form.body)
    await sent
    const [response] = await answered
    return json(response)
  }

  test('a large file of another name, which is taken to its end so that the browser hears the answer', async () => {
    expect(await answerOverARealLine(await openSite(), 'photos.rar')).toMatchObject({ code: 'zip_expected' })
  })

  test('a large file that the storage fails to take, likewise', async () => {
    const site = await openSite()
    site.storage.put = async (_name, content) => {
      await once(content as Readable, 'readable')
      throw new StorageFailed('away')
    }
    expect(await answerOverARealLine(site, 'backup.zip')).toMatchObject({ code: 'storage_unavailable' })
    expect(site.takeLoggedProblems()).toHaveLength(1)
  })

  test('an export in which anything was changed since it was made', async () => {
    const site = await openSite()
    await fill(site)
    const { data } = await site.ask(exportData, site.as)
    const [first, ...others] = data.projects
    const damaged = { ...data, projects: [{ ...first, title: 'Another title' }, ...others] }
    const response = await site.call(importData, { body: damaged, ...site.as })
    expect(response.json()).toMatchObject({ code: 'file_damaged', message: expect.stringContaining('changed after') })
    const { sha256: _removed, ...edited } = damaged
    expect((await site.call(importData, { body: edited, ...site.as })).statusCode).toBe(200)
    expect((await site.call(importData, { body: data, ...site.as })).statusCode).toBe(200)
    // Another program may write the same keys in another order.
    const turned = Object.fromEntries(Object.entries(data).toReversed())
    expect((await site.call(importData, { body: turned, ...site.as })).statusCode).toBe(200)
  })

  test('an upload the disk has no room for, before it is taken', async () => {
    const site = await openSite()
    site.storage.freeBytes = async () => 40_000_000
    const archive = rawZip(archiveEntries())
    const response = await site.call(restoreComplete, {
      ...formWith(Buffer.concat([archive, Buffer.alloc(9_000_000)])),
      ...site.as,
    })
    expect(response.statusCode).toBe(507)
    expect(response.json().message).toMatch(/10 MB are needed and 7 MB are free\. Nothing was changed\./)
    expect(response.json().details).toEqual({ neededMegabytes: 10, freeMegabytes: 7 })
    expect(site.takeLoggedProblems().length).toBe(1)
  })

  test('a restore whose photos the storage has no room for, before any is stored', async () => {
    const site = await openSite()
    await fill(site)
    const archive = await site.completeBackup()
    const other = await openSite()
    other.storage.freeBytes = async () => 0
    const before = await everythingIn(other)
    const response = await other.call(restoreComplete, { ...formWith(archive), ...other.as })
    expect(response.json().code).toBe('disk_full')
    expect(other.takeLoggedProblems().length).toBe(1)
    expect(await everythingIn(other)).toEqual(before)
  })
})

test('an import that fills the disk under the built-in database is refused as such', async () => {
  const site = await openTestApp('sqlite')
  const as = await site.signedIn()
  // No more pages than there are: to SQLite the same as a full disk.
  await sql`pragma max_page_count = 1`.execute(site.db)
  const contacts = Array.from({ length: 200 }, (_, index) => aContact({ message: `${index} ${'x'.repeat(1_000)}` }))
  const response = await site.call(importData, { body: { contacts }, as })
  expect([response.statusCode, response.json().code]).toEqual([507, 'disk_full'])
  expect(site.takeLoggedProblems()).toHaveLength(1)
  expect((await everythingIn(site)).contacts).toEqual([])
})
