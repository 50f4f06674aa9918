import { expect, test } from 'vitest'
import { sqliteFault } from './database-errors.ts'

const anError = (message: string, details: object) =>
  Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', ...details })

test.each([
  ['full', 'database or disk is full', { errcode: 13 }],
  ['full', 'database or disk is full', {}],
  ['full', 'disk I/O error', { errcode: 4874 }],
  ['unwritable', 'attempt to write a readonly database', { errcode: 1288 }],
  ['unwritable', 'disk I/O error', {}],
  ['damaged', 'database disk image is malformed', { errcode: 779 }],
  ['damaged', 'file is not a database', {}],
  [undefined, 'UNIQUE constraint failed: admin_users.name_key', { errcode: 2067 }],
  [undefined, 'database or disk is full', { code: 'ELSEWHERE' }],
])('%s is what is wrong when SQLite says: %s %j', (fault, message, details) => {
  expect(sqliteFault(anError(message, details))).toBe(fault)
})
