import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { backups as texts } from '#content/en/backups.ts'
import { problemTexts } from '#content/en/problems.ts'
import { titles } from '#content/en/titles.ts'
import { problemSentence } from '#content/problem-sentence.ts'
import { safetyOf } from '#content/safety-line.ts'
import type { CareFault } from '#contract/backup-care.ts'
import { type BackupType, recordsMissingFrom } from '#contract/backups.ts'
import type { ProblemReply } from '#contract/problems.ts'
import { systemClock as clock } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { demoAdminCheck } from '../features/accounts/demo-admin.ts'
import { keepNow } from '../features/backups/care/nights.ts'
import { deleteBackup } from '../features/backups/care/removing.ts'
import { readState } from '../features/backups/care/state.ts'
import { createCopies } from '../features/backups/elsewhere/copies.ts'
import { openPlace } from '../features/backups/elsewhere/place.ts'
import { describeAside } from '../features/images/aside.ts'
import { asDiskProblem } from '../http/disk-problem.ts'
import { Problem } from '../http/problem.ts'
import { openLog } from '../log.ts'
import { keepFilesPrivate } from '../private-files.ts'
import { piecesOf } from '../storage/pieces-of.ts'
import { writeFile } from '../storage/write-file.ts'
import { parseBackupArgs } from './backup-args.ts'
import { isDatabaseBackup, withFileAlone } from './backup-file.ts'
import { openSite, type Site } from './backup-site.ts'
import { becomeOwnerOf, openExistingSite } from './existing-site.ts'
import { refuseWithoutFolder, restoreIntoNewDatabase } from './new-database.ts'
import { putBackDatabase } from './put-back-database.ts'
import { preview, restore } from './restore-backup.ts'
import { complain, megabytes, numbers, print, withProgress } from './say.ts'
import { verify } from './verify-backup.ts'
import { WrongUse } from './wrong-use.ts'

async function run(argv: string[]) {
  const args = parseBackupArgs(argv)
  const config = readConfig(process.env)
  if (args.command === 'verify') return verify(config, args.name)
  if (args.command === 'new-database') return restoreIntoNewDatabase(config, args.name)
  if (args.command === 'restore' && isDatabaseBackup(args.name)) return putBack(config, args.name)
  const site = await openSite(config, await openExistingSite(config))
  try {
    if (args.command === 'list') return await list(site)
    if (args.command === 'preview') return await preview(site, args.name)
    if (args.command === 'delete') return await remove(site, args)
    if (args.command === 'restore') await restore(site, args.name)
    if (args.command === 'keep') await keep(site)
    if (args.command === 'backup') await backup(site, args.kind)
    await tellWhatLiesAside(site)
  } finally {
    await site.close()
  }
}

/** The present database is not opened: it may be the reason for this. */
async function putBack(config: Config, asked: string) {
  if (config.databaseUrl) throw new WrongUse('On PostgreSQL a database backup is put back by hand: docs/deploy.md says how.')
  refuseWithoutFolder(config)
  becomeOwnerOf(config.dataDir)
  await withFileAlone(asked, config, async ({ file, name }) => {
    const copyTo = async (folder: string) => {
      const target = path.join(folder, 'vitrina.sqlite')
      if (!file.file) return writeFile(target, Readable.from(piecesOf(file), { objectMode: false }))
      await copyFile(file.file, target)
      // A database that was not closed well has its last writes beside it.
      if (existsSync(`${file.file}-wal`)) await copyFile(`${file.file}-wal`, `${target}-wal`)
    }
    const folder = await putBackDatabase(config.dataDir, copyTo, clock.now())
    print(`The database is as it was in ${name}. Start the site, and sign in with an account of that time.`)
    if (folder) print(`The database it was until now is kept in: ${folder}`)
  })
}

async function tellWhatLiesAside({ storage }: Site) {
  const { photos, since } = await describeAside(storage)
  if (photos > 0)
    print(
      `Set aside because nothing refers to them, the first on ${since}: ${photos} photos. They come back when they are wanted.`,
    )
}

async function backup({ backups }: Site, kind: BackupType) {
  if (kind === 'export') return tellOfExport(await backups.keepExport())
  if (kind === 'database') return print(`Kept: ${(await backups.keepDatabase()).filename}`)
  tellOfMade(await withProgress((progress) => backups.keepComplete({ progress })))
}

/** What the site does every night. */
async function keep(site: Site) {
  const { backups } = site
  const copies = await copiesOf(site)
  const parts = { ...site, clock, log: await openLog({ logLevel: 'silent' }), openBackups: async () => backups, copies }
  const made = await withProgress((progress) => keepNow(parts, progress))
  tellOfMade(made)
  if (!copies) return
  const { fault, copied } = await copies.describe()
  if (copied?.filename === made.filename) return print('Copied elsewhere, and read back.')
  complain(fault ? sentenceOf(fault) : 'Not copied elsewhere yet: the site is at it.')
  process.exitCode = 1
}

function tellOfMade({ filename, bytes, counts, ...missing }: Awaited<ReturnType<Site['backups']['keepComplete']>>) {
  const { missingImages, missingFrom, missingFromMessages, missingRecords, leftOut } = missing
  const isWhole = missingImages + missingRecords === 0
  print(`${isWhole ? 'Whole' : 'Not whole'}, and read again: ${numbers(counts)}, ${megabytes(bytes)}.`)
  print(`Kept: ${filename}`)
  if (isWhole) return
  process.exitCode = 3
  if (missingRecords > 0) complain(texts.leftOut(leftOut))
  if (missingImages === 0) return
  const owners = titles(missingFrom)
  const whose = owners ? ` They belong to ${owners}.` : ''
  const theirs = missingFromMessages > 0 ? ` With messages came ${missingFromMessages} of them.` : ''
  complain(`Missing from it, because their files are gone or damaged: ${missingImages} photos.${whose}${theirs}`)
}

function tellOfExport({ filename, leftOut }: Awaited<ReturnType<Site['backups']['keepExport']>>) {
  print(`Kept: ${filename}`)
  if (recordsMissingFrom(filename) === 0) return
  complain(texts.leftOut(leftOut))
  process.exitCode = 3
}

/** The backups, and the line that is at the top of the block in the panel. */
async function list(site: Site) {
  const { database, backups, storage, config } = site
  const demoAdminActive = demoAdminCheck(database.db)
  const copies = await copiesOf(site)
  const state = await readState({
    database,
    storage,
    clock,
    hasOwner: async () => !(await demoAdminActive()),
    describeElsewhere: async () => (await copies?.describe()) ?? null,
    isEncrypted: config.backupSecret !== undefined,
  })
  for (const { filename, bytes } of await backups.list()) print(`${filename}  ${megabytes(bytes)}`)
  const { sentences, notes } = safetyOf(state, { locale: 'en-US', line: texts.line, sentence: sentenceOf })
  for (const sentence of [...sentences, ...notes]) print(sentence)
  if (state.shortfalls.length > 0) process.exitCode = 1
}

async function remove({ database, storage }: Site, { name, last }: { name: string; last: boolean }) {
  await deleteBackup({ database, storage, clock }, name, { evenTheLast: last }).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'last_backup' ? new WrongUse(`${error.message} (--last)`) : error
  })
  print(`Deleted: ${name}`)
}

async function copiesOf({ config, database, storage }: Site) {
  if (!config.elsewhere) return undefined
  const log = await openLog({ logLevel: 'silent' })
  return createCopies({ database, storage, clock, log, secret: config.backupSecret, place: openPlace(config.elsewhere) })
}

function sentenceOf({ code, details }: CareFault) {
  return problemSentence(problemTexts, { code, details: details as ProblemReply['details'] }) ?? ''
}

keepFilesPrivate()
run(process.argv.slice(2)).catch((thrown: unknown) => {
  const error = asDiskProblem(thrown)
  complain(error instanceof Error ? error.message : String(error))
  process.exitCode = error instanceof WrongUse ? 2 : 1
})
