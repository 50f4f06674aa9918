import { expect, test } from 'vitest'
import { CallError } from '../../../api/call.ts'
import { asExport, isTransient, partsLeft } from './send-file.ts'

test('a file is sent in parts of which the last is as long as what is left', () => {
  expect(partsLeft({ bytes: 25, partBytes: 10, received: [] })).toEqual({
    left: [
      { part: 0, from: 0, to: 10 },
      { part: 1, from: 10, to: 20 },
      { part: 2, from: 20, to: 25 },
    ],
    arrived: 0,
  })
  expect(partsLeft({ bytes: 20, partBytes: 10, received: [] }).left).toHaveLength(2)
})

test('what has arrived is not sent again', () => {
  expect(partsLeft({ bytes: 25, partBytes: 10, received: [2, 0] })).toEqual({
    left: [{ part: 1, from: 10, to: 20 }],
    arrived: 15,
  })
  expect(partsLeft({ bytes: 25, partBytes: 10, received: [0, 1, 2] })).toEqual({ left: [], arrived: 25 })
})

test('a lost connection and a server that is away are tried again by themselves, a refusal is not', () => {
  const answered = (status: number) => new CallError(status, '', undefined)
  expect([new TypeError('No answer'), answered(502), answered(503), answered(429)].map(isTransient)).toEqual([
    true,
    true,
    true,
    true,
  ])
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
