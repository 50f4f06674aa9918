import { expect, test } from 'vitest'
import { parseBackupArgs } from './backup-args.ts'

test.each([
  [['backup'], { command: 'backup', kind: 'complete' }],
  [['backup', 'database'], { command: 'backup', kind: 'database' }],
  [['backup', 'export'], { command: 'backup', kind: 'export' }],
  [['backup', '--keep'], { command: 'keep' }],
  [['backup', 'list'], { command: 'list' }],
  [['backup', 'delete', 'a.zip'], { command: 'delete', name: 'a.zip', last: false }],
  [['backup', 'delete', '--last', 'a.zip'], { command: 'delete', name: 'a.zip', last: true }],
  [['restore', 'a.zip'], { command: 'restore', name: 'a.zip' }],
  [['restore', '--preview', 'a.zip'], { command: 'preview', name: 'a.zip' }],
  [['restore', 'a.zip', '--preview'], { command: 'preview', name: 'a.zip' }],
  [['restore', '--new-database', 'a.zip'], { command: 'new-database', name: 'a.zip' }],
  [['verify', 'a.zip.age'], { command: 'verify', name: 'a.zip.age' }],
])('%j is understood', (args, understood) => {
  expect(parseBackupArgs(args)).toEqual(understood)
})

test.each([
  [[]],
  [['help']],
  [['restore']],
  [['verify']],
  [['verify', '--preview', 'a.zip']],
  [['backup', 'everything']],
  [['backup', 'list', 'all']],
  [['backup', 'delete']],
  [['backup', '--keep', 'export']],
  [['backup', '--forget']],
  [['restore', '--preview', '--new-database', 'a.zip']],
  [['restore', 'a.zip', 'b.zip']],
])('%j is answered with how it is used', (args) => {
  expect(() => parseBackupArgs(args)).toThrow('npm run restore -- <file>')
})
