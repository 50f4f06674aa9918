import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { backupStatusOf } from '#content/backup-sentences.ts'
import { backups as texts } from '#content/en/backups.ts'
import { problemTexts } from '#content/en/problems.ts'
import { problemSentence } from '#content/problem-sentence.ts'
import type { BackupFault } from '#contract/backup-status.ts'
import { type BackupType, recordsMissingFrom } from '#contract/backups.ts'
import type { ProblemReply } from '#contract/problems.ts'
import { listStoredBackups, madeAt } from '../backup/backup-names.ts'
import type { Made } from '../backup/make-backup.ts'
import { deleteBackup } from '../backup/retention.ts'
import { readStatus } from '../backup/status.ts'
import { systemClock as clock } from '../clock.ts'
import { type Config, readCheckedConfig } from '../config.ts'
import { demoAdminCheck } from '../features/accounts/passwords.ts'
import { describeQuarantine } from '../features/images/image-quarantine.ts'
import { asDiskProblem, Problem } from '../http/problem.ts'
import { noFault, writeJob } from '../jobs/jobs.ts'
import { keepFilesPrivate } from '../start/data-folder.ts'
import { writeNewFile } from '../storage/disk.ts'
import { piecesOf } from '../storage/storage.ts'
import { parseBackupArgs, WrongUse } from './args.ts'
import { becomeOwnerOf, openExistingSite } from './existing-site.ts'
import { isDatabaseBackup, openSite, type Site, withFileAlone } from './open-backup.ts'
import { complain, counted, megabytes, numbers, print } from './output.ts'
import { putBackDatabase, refuseWithoutFolder, restoreIntoNewDatabase } from './replace-database.ts'
import { preview, restore, undo, verify } from './restore-backup.ts'

async function run(argv: string[]) {
  const args = parseBackupArgs(argv)
  const config = await readCheckedConfig(process.env)
  if (args.command === 'verify') return verify(config, args.name)
  if (args.command === 'new-database') return restoreIntoNewDatabase(config, args.name)
  if (args.command === 'restore' && isDatabaseBackup(args.name)) return goBack(config, args.name)
  const site = await openSite(config, await openExistingSite(config))
  try {
    if (args.command === 'list') return await list(site)
    if (args.command === 'preview') return await preview(site, args.name)
    if (args.command === 'delete') return await remove(site, args)
    if (args.command === 'undo') return await undo(site)
    if (args.command === 'restore') await restore(site, args.name)
    if (args.command === 'keep') await keep(site)
    if (args.command === 'backup') await backup(site, args.kind)
    await printQuarantine(site)
  } finally {
    await site.close()
  }
}

/** Does not open the present database: it may be the damaged one. */
async function goBack(config: Config, input: string) {
  if (config.databaseUrl) throw new WrongUse('On PostgreSQL a database backup is put back by hand: docs/deploy.md says how.')
  refuseWithoutFolder(config)
  becomeOwnerOf(config.dataDir)
  await withFileAlone(input, config, async ({ file, name }) => {
    const copyTo = async (folder: string) => {
      const target = path.join(folder, 'vitrina.sqlite')
      if (!file.file) return writeNewFile(target, Readable.from(piecesOf(file), { objectMode: false }))
      await copyFile(file.file, target)
      // The last writes of a database that was not closed are in its -wal.
      if (existsSync(`${file.file}-wal`)) await copyFile(`${file.file}-wal`, `${target}-wal`)
    }
    const folder = await putBackDatabase(config.dataDir, copyTo, clock.now())
    print(`The database is as it was in ${name}. Start the site, and sign in with an account of that time.`)
    if (folder) print(`The database it was until now is kept in: ${folder}`)
  })
}

async function printQuarantine({ storage }: Site) {
  const { photos, since } = await describeQuarantine(storage)
  if (photos > 0)
    print(
      `In quarantine because nothing refers to them, the first since ${since}: ${counted(photos, 'photo')}. They come back when something does.`,
    )
}

async function backup({ run }: Site, type: BackupType) {
  if (type === 'complete') return printMade(await run({ kind: type }))
  const made = await run({ kind: type })
  print(`Kept: ${made.filename}`)
  if (recordsMissingFrom(made.filename) === 0 || !('leftOut' in made)) return
  process.exitCode = 3
  complain(texts.leftOut(made.leftOut))
}

/** A nightly backup now, with its off-site copy and retention. */
async function keep(site: Site) {
  const { db } = site.database
  const made = await site.run({ kind: 'night' })
  await writeJob(db, 'nightly', { lastSuccess: madeAt(made.filename).toISOString(), ...noFault })
  printMade(made)
  if (!site.config.offsite) return
  await site.run({ kind: 'copy' })
  await writeJob(db, 'copy', { lastSuccess: clock.now().toISOString(), ...noFault })
  print('Copied off-site, and read back.')
}

function printMade({ filename, bytes, counts, missingImages, missingFrom, missingRecords, leftOut }: Made) {
  const isWhole = missingImages + missingRecords === 0
  print(`${isWhole ? 'Whole' : 'Not whole'}, and read again: ${numbers(counts)}, ${megabytes(bytes)}.`)
  print(`Kept: ${filename}`)
  if (isWhole) return
  process.exitCode = 3
  if (missingRecords > 0) complain(texts.leftOut(leftOut))
  if (missingImages === 0) return
  const owners = texts.complete.owners(missingFrom)
  const whose = owners ? ` They belong to ${owners}.` : ''
  complain(`Missing from it, because their files are gone or damaged: ${counted(missingImages, 'photo')}.${whose}`)
}

/** The backups, and their status in the words of the panel. */
async function list(site: Site) {
  const status = await readStatus({ ...site, demoAdminActive: demoAdminCheck(site.database.db) })
  for (const { filename, bytes } of await listStoredBackups(site.storage, clock.now()))
    print(`${filename}  ${megabytes(bytes)}`)
  const { sentences, notes } = backupStatusOf(status, { locale: 'en-US', line: texts.line, sentence: sentenceOf })
  for (const sentence of [...sentences, ...notes]) print(sentence)
  if (status.warnings.length > 0) process.exitCode = 1
}

async function remove({ config, database, storage }: Site, { name, last }: { name: string; last: boolean }) {
  await deleteBackup({ config, database, storage, clock }, name, { evenTheLast: last }).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'last_backup' ? new WrongUse(`${error.message} (--last)`) : error
  })
  print(`Deleted: ${name}`)
}

function sentenceOf({ code, details }: BackupFault) {
  return problemSentence(problemTexts, { code, details: details as ProblemReply['details'] }) ?? ''
}

keepFilesPrivate()
run(process.argv.slice(2)).catch((thrown: unknown) => {
  const error = asDiskProblem(thrown)
  complain(error instanceof Error ? error.message : String(error))
  const { cause, entry } = ((error as Problem).details ?? {}) as { cause?: string; entry?: string }
  if (cause) complain([entry, cause].filter(Boolean).join(': '))
  process.exitCode = error instanceof WrongUse ? 2 : 1
})
