import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type Config, readConfig } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import type { Db } from '../database/tables.ts'
import { contentTypeOf } from '../features/images/image.rules.ts'
import { listContentTypes } from '../features/images/images.queries.ts'
import { keepFilesPrivate, lockDataFolder } from '../start/data-folder.ts'
import { readSiteId, writeStorageId } from '../start/site-id.ts'
import { openFolder } from '../storage/folder.ts'
import { openStorage } from '../storage/open-storage.ts'
import { parseMoveArgs, readAddress, WrongUse } from './args.ts'
import { becomeOwnerOf } from './existing-site.ts'
import { moveFiles } from './move-files.ts'
import { moveRecords } from './move-records.ts'
import { complain, megabytes, print, progressLine } from './output.ts'

async function run(args: string[]) {
  const { toDatabase: address, toBucket } = parseMoveArgs(args)
  const toDatabase = address === readAddress ? await readDatabaseAddress() : address
  const target = readConfig({
    ...process.env,
    ...(toDatabase && { DATABASE_URL: toDatabase }),
    ...(toBucket && { S3_BUCKET: toBucket }),
  })
  const builtIn = path.join(target.dataDir, 'vitrina.sqlite')
  const fromBuiltIn = toDatabase !== undefined || !target.databaseUrl
  if (fromBuiltIn && !existsSync(builtIn))
    throw new WrongUse(`There is no site to move: ${builtIn} does not exist. Set DATA_DIR.`)
  becomeOwnerOf(target.dataDir)
  const lock = lockDataFolder(target.dataDir)
  const source = await openDatabase({
    url: fromBuiltIn ? undefined : target.databaseUrl,
    dataDir: target.dataDir,
    asGuest: true,
  })
  try {
    // Files first: nothing refers to them until the records are there.
    if (toBucket) await takeFiles(target, source.db)
    if (toDatabase) await takeRecords(source, target)
    print(`All of it was read again and is the same. Nothing in ${target.dataDir} was changed.`)
    print(
      `From now on start the site with ${[toDatabase && 'DATABASE_URL', toBucket && 'S3_BUCKET'].filter(Boolean).join(' and ')} set.`,
    )
  } finally {
    await source.close()
    lock.release()
  }
}

async function readDatabaseAddress() {
  const { MOVE_DATABASE_URL: set } = process.env
  if (set) return set
  if (process.stdin.isTTY) process.stderr.write('Address of the database (postgres://…): ')
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    if (line.trim()) return line.trim()
  }
  throw new WrongUse('Which database? Set MOVE_DATABASE_URL to its address, postgres://…')
}

async function takeFiles(target: Config, db: Db) {
  const contentTypes = await listContentTypes(db)
  const bucket = await openStorage(target)
  const source = await openFolder(path.join(target.dataDir, 'files'))
  const line = progressLine({ files: 'Moving files' })
  const report = await moveFiles(source, bucket, {
    contentTypeOf: (name) => contentTypeOf(name, contentTypes),
    progress: (done, total) => line.show('files', done, total),
  }).finally(line.end)
  const id = await readSiteId(db)
  if (id) await writeStorageId(bucket, id)
  for (const { folder, files, bytes, sha256 } of report) {
    print(`${folder.padEnd(16)} ${String(files).padStart(6)} files, ${megabytes(bytes)}, sha256 ${sha256}`)
  }
}

async function takeRecords(source: Awaited<ReturnType<typeof openDatabase>>, { databaseUrl, dataDir }: Config) {
  const target = await openDatabase({ url: databaseUrl, dataDir })
  try {
    for (const { table, rows, sha256 } of await moveRecords(source, target)) {
      print(`${table.padEnd(16)} ${String(rows).padStart(6)} rows, sha256 ${sha256}`)
    }
  } finally {
    await target.close()
  }
}

keepFilesPrivate()
run(process.argv.slice(2)).catch((error: unknown) => {
  complain(error instanceof Error ? error.message : String(error))
  process.exitCode = error instanceof WrongUse ? 2 : 1
})
