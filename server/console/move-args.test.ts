import { expect, test } from 'vitest'
import { parseMoveArgs } from './move-args.ts'

test.each([
  [['--to-database', '--to-bucket', 'models'], { toDatabase: '', toBucket: 'models' }],
  [['--to-bucket', 'models', '--to-database'], { toDatabase: '', toBucket: 'models' }],
  [['--to-bucket', 'models'], { toDatabase: undefined, toBucket: 'models' }],
  [['--to-database', 'postgres://ana@db.example/site'], { toDatabase: 'postgres://ana@db.example/site', toBucket: undefined }],
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
