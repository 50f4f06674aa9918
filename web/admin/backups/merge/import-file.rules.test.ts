import { expect, test } from 'vitest'
import { asExport } from './import-file.rules.ts'

const aFile = (name: string) => new File(['{}'], name, { lastModified: 7 })

test.each(['export.json', 'EXPORT.JSON', 'export.json.age', 'complete.zip.age'])('%s is sent under its own name', (name) => {
  const file = aFile(name)
  expect(asExport(file, 'pasted.json')).toBe(file)
})

test.each(['export.txt', 'export', 'json', 'export.age'])('%s is sent under a name that the server takes', async (name) => {
  const sent = asExport(aFile(name), 'pasted.json')
  expect([sent.name, sent.lastModified, await sent.text()]).toEqual(['pasted.json', 7, '{}'])
})
