import { expect, test } from 'vitest'
import { read } from '#tests/source-files.ts'
import { incomingContact, incomingProject } from './backups.ts'

test.each([
  ['projects', incomingProject],
  ['contacts', incomingContact],
])('docs/backup-format.md names every field of the %s of an export', (list, { shape }) => {
  const row = read('docs/backup-format.md')
    .split('\n')
    .find((line) => line.startsWith(`| \`${list}\``))
  const [, ...named] = [...(row ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  expect(named.toSorted()).toEqual(Object.keys(shape).toSorted())
})
