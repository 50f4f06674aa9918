import { expect, test } from 'vitest'
import { CallError } from '../../../api/call.ts'
import { isTransient } from '../../../api/send-bytes.ts'
import { asExport, isArchive } from './send-file.ts'

test('a lost connection and a server that is away are tried again by themselves, a refusal is not', () => {
  const answered = (status: number) => new CallError(status, '', undefined)
  expect([new TypeError('No answer'), ...[408, 429, 502, 503].map(answered)].every(isTransient)).toBe(true)
  expect([400, 401, 404, 409, 413, 507].map(answered).some(isTransient)).toBe(false)
})

const aFile = (name: string) => new File(['{}'], name, { lastModified: 7 })

test.each(['export.json', 'EXPORT.JSON', 'export.json.age', 'complete.zip.age'])('%s is sent under its own name', (name) => {
  const file = aFile(name)
  expect(asExport(file, 'pasted.json')).toBe(file)
})

test.each(['export.txt', 'export', 'json', 'export.age'])('%s is sent under a name that the server takes', async (name) => {
  const sent = asExport(aFile(name), 'pasted.json')
  expect([sent.name, sent.lastModified, await sent.text()]).toEqual(['pasted.json', 7, '{}'])
})

test('an archive is told by its name', () => {
  expect(['complete.zip', 'COMPLETE.ZIP', 'complete.zip.age'].every(isArchive)).toBe(true)
  expect(['export.json', 'export.json.age', 'zip.json', ''].some(isArchive)).toBe(false)
})
