import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createDatabaseBackup, listBackups } from '#contract/backups.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { DumpOptions } from '#server/database/postgres-dump.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { openTestApp } from '#tests/test-app.ts'

/** A folder with a program that goes by the name of pg_dump, says which version it is, and then does as told. */
async function folderWith(major: number, deeds: string) {
  const folder = await temporaryFolder()
  const script = `#!/bin/sh\ncase "$1" in --version) echo "pg_dump (PostgreSQL) ${major}.1"; exit;; esac\n${deeds}\n`
  await writeFile(path.join(folder, 'pg_dump'), script, { mode: 0o755 })
  return folder
}

describe('a database backup, when pg_dump', () => {
  async function refused(pgDump: DumpOptions, code: ProblemCode, status: number, sentence: string) {
    const site = await openTestApp('postgres', { pgDump })
    const as = await site.signedIn()
    const response = await site.call(createDatabaseBackup, { as })
    expect(response.json()).toMatchObject({ code, message: expect.stringContaining(sentence) })
    expect(response.statusCode).toBe(status)
    expect(await site.ask(listBackups, { as })).toEqual({ backups: [], files: [] })
    expect(site.takeLoggedProblems().length).toBe(1)
  }

  test('is missing, says so and what to do', async () =>
    refused({ folders: [await temporaryFolder()] }, 'pg_dump_missing', 503, 'Install postgresql-client'))

  test('is older than the server, says so and what to do', async () =>
    refused({ folders: [await folderWith(9, 'exit 0')] }, 'pg_dump_older', 503, 'older than its PostgreSQL'))

  test('does not finish in time, is stopped and leaves nothing', async () =>
    refused(
      { folders: [await folderWith(99, 'echo "-- half"; exec sleep 600')], timeout: 200 },
      'pg_dump_slow',
      503,
      'did not finish in time',
    ))

  test('fails, leaves nothing', async () =>
    refused({ folders: [await folderWith(99, 'echo "-- half"; exit 1')] }, 'database_backup_failed', 500, 'was not kept'))

  test('ends well without having written the end, leaves nothing', async () =>
    refused({ folders: [await folderWith(99, 'echo "-- half"; exit 0')] }, 'database_backup_failed', 500, 'was not kept'))
})
