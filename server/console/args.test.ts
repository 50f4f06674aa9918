import { describe, expect, test } from 'vitest'
import { parseBackupArgs, parseMoveArgs } from './args.ts'

describe('npm run backup, restore and verify', () => {
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
})

describe('npm run move', () => {
  test.each([
    [['--to-database', '--to-bucket', 'models'], { toDatabase: '', toBucket: 'models' }],
    [['--to-bucket', 'models', '--to-database'], { toDatabase: '', toBucket: 'models' }],
    [['--to-bucket', 'models'], { toDatabase: undefined, toBucket: 'models' }],
    [
      ['--to-database', 'postgres://ana@db.example/site'],
      { toDatabase: 'postgres://ana@db.example/site', toBucket: undefined },
    ],
    [['--to-database=postgres:///site'], { toDatabase: 'postgres:///site', toBucket: undefined }],
  ])('%j is understood', (args, options) => {
    expect(parseMoveArgs(args)).toEqual(options)
  })

  test.each([
    'postgres://ana:secret@db.example/site',
    'postgres://:secret@db.example/site',
    'postgresql://ana:se%40cret@db.example/site',
    'postgres://ana:se/cret@db.example/site',
    'postgres://ana@db.example/site?sslmode=require&password=secret',
  ])('a password on the command line is refused with what to do: %s', (address) => {
    for (const args of [['--to-database', address], [`--to-database=${address}`]]) {
      expect(() => parseMoveArgs(args)).toThrow('Set MOVE_DATABASE_URL to the address instead')
    }
  })

  test.each([[[]], [['--to-bucket']], [['--to-space']], [['models']]])('%j is answered with how it is used', (args) => {
    expect(() => parseMoveArgs(args)).toThrow('npm run move -- --to-database')
  })
})
