import { existsSync } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { titlesEn } from '#content/titles.ts'
import { type BackupType, backupType, type Counts, missingFromBackup } from '#contract/backups.ts'
import { systemClock as clock } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { lockDataFolder } from '../data-lock.ts'
import { DatabaseUnusable } from '../database/database-unusable.ts'
import { type Database, openDatabase } from '../database/open.ts'
import { quickCheck } from '../database/sqlite.ts'
import { isBackupName, storedBackup } from '../features/backups/backup-names.ts'
import { createBackups } from '../features/backups/backups.ts'
import type { Step } from '../features/backups/progress.ts'
import { readArchive } from '../features/backups/read-archive.ts'
import { checkExport } from '../features/backups/read-export.ts'
import { describeAside } from '../features/images/aside.ts'
import { createEncoder, encoderProcess } from '../features/images/encoder.ts'
import { createImages } from '../features/images/images.ts'
import { asDiskProblem } from '../http/disk-problem.ts'
import { openLog } from '../log.ts'
import { isEmptySite } from '../lost-database.ts'
import { ownProgram } from '../own-program.ts'
import { keepFilesPrivate } from '../private-files.ts'
import { readStorageId, setSiteId } from '../site-id.ts'
import { openFile } from '../storage/open-file.ts'
import { openStorage } from '../storage/open-storage.ts'
import { piecesOf } from '../storage/pieces-of.ts'
import type { OpenFile, Storage } from '../storage/storage.ts'
import { openUnfinished } from '../storage/unfinished.ts'
import { writeFile } from '../storage/write-file.ts'
import { parseBackupArgs } from './backup-args.ts'
import { becomeOwnerOf, openExistingSite } from './existing-site.ts'
import { progressLine } from './progress-line.ts'
import { putBackDatabase, putInPlace } from './put-back-database.ts'
import { WrongUse } from './wrong-use.ts'

const steps: Record<Step, string> = {
  reading: 'Reading',
  writing: 'Writing photos',
  checking: 'Checking photos',
  storing: 'Storing photos',
  merging: 'Changing records',
}

type Site = Awaited<ReturnType<typeof openSite>>

async function openSite({ database, storage }: { database: Database; storage: Storage }) {
  const encoder = await openEncoder()
  // The running site notices what is new by itself, and makes variants when they are asked for.
  const images = createImages({ database, storage, clock, encoder, variants: { prepare() {} } })
  const backups = createBackups({ database, storage, clock, images })
  const close = async () => {
    await encoder.stop()
    await database.close()
  }
  return { backups, storage, close }
}

async function openEncoder() {
  return createEncoder(encoderProcess({ ...ownProgram('encoder'), log: await openLog({ logLevel: 'silent' }) }))
}

async function run(argv: string[]) {
  const args = parseBackupArgs(argv)
  const config = readConfig(process.env)
  if (args.command === 'verify') return verify(config, args.name)
  if (args.command === 'new-database') return restoreIntoNewDatabase(config, args.name)
  if (args.command === 'restore' && isDatabaseBackup(args.name)) return putBack(config, args.name)
  const site = await openSite(await openExistingSite(config))
  try {
    if (args.command === 'restore') await restore(site, args.name)
    else if (args.command === 'backup') await backup(site, args.kind)
    await tellWhatLiesAside(site)
  } finally {
    await site.close()
  }
}

/** A new database for the files of a site that has lost its own. One that holds something is never replaced. */
async function restoreIntoNewDatabase(config: Config, name: string) {
  if (config.databaseUrl) {
    await refuseUnlessEmpty(config)
    return restoreInto(config, await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }), name)
  }
  refuseWithoutFolder(config)
  becomeOwnerOf(config.dataDir)
  const lock = lockDataFolder(config.dataDir)
  // Made whole elsewhere and then put in its place: refused or stopped before that, nothing has changed.
  const folder = (await openUnfinished(path.join(config.dataDir, 'unfinished'))).newFile()
  try {
    await refuseUnlessEmpty(config)
    await mkdir(folder)
    await restoreInto(config, await openDatabase({ dataDir: folder }), name)
    const left = await putInPlace(config.dataDir, path.join(folder, 'vitrina.sqlite'), clock.now())
    if (left) print(`What was left of the database is kept in: ${left}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
    lock.release()
  }
}

async function refuseUnlessEmpty(config: Config) {
  const where = { url: config.databaseUrl, dataDir: config.dataDir, asGuest: true }
  const found = await openDatabase(where).catch((error: unknown) => {
    if (error instanceof DatabaseUnusable && ['missing', 'damaged'].includes(error.reason)) return undefined
    throw error
  })
  if (!found) return
  const isEmpty = await isEmptySite(found.db).finally(found.close)
  if (!isEmpty) throw new WrongUse('There is a database already, and it holds something. Leave out --new-database.')
}

async function restoreInto(config: Config, database: Database, name: string) {
  const site = await openSite({ database, storage: await openStorage(config) })
  try {
    await restore(site, name)
    // Only now: with an id and nothing in it, it would be taken for a site that has just begun.
    const id = await readStorageId(site.storage)
    if (id) await setSiteId(database.db, id)
  } finally {
    await site.close()
  }
}

function refuseWithoutFolder({ dataDir }: Config) {
  if (!existsSync(dataDir)) throw new WrongUse(`There is no folder ${dataDir}. Set DATA_DIR as it is set for the site.`)
}

/** The present database is not opened: it may be the reason for this. */
async function putBack(config: Config, name: string) {
  if (config.databaseUrl) throw new WrongUse('On PostgreSQL a database backup is put back by hand: docs/deploy.md says how.')
  refuseWithoutFolder(config)
  becomeOwnerOf(config.dataDir)
  const place = placeOf(name)
  const stored = existsSync(place) ? undefined : await openListed(config, path.basename(name))
  if (!existsSync(place) && !stored) throw noSuchFile(place)
  const source = stored ? stored.file : place
  const copyTo = async (folder: string) => {
    const target = path.join(folder, 'vitrina.sqlite')
    if (!source) {
      const { content } =
        (await (await openStorage(config, { readOnly: true })).stream(storedBackup(path.basename(name)))) ?? {}
      if (content) await writeFile(target, content)
      return
    }
    await copyFile(source, target)
    // A database that was not closed well has its last writes beside it.
    if (existsSync(`${source}-wal`)) await copyFile(`${source}-wal`, `${target}-wal`)
  }
  const folder = await putBackDatabase(config.dataDir, copyTo, clock.now()).finally(() => stored?.close())
  print(`The database is as it was in ${path.basename(name)}. Start the site, and sign in with an account of that time.`)
  if (folder) print(`The database it was until now is kept in: ${folder}`)
}

async function tellWhatLiesAside({ storage }: Site) {
  const { photos, since } = await describeAside(storage)
  if (photos > 0)
    print(
      `Set aside because nothing refers to them, the first on ${since}: ${photos} photos. They come back when they are wanted.`,
    )
}

async function backup({ backups }: Site, kind: BackupType) {
  if (kind === 'export') return print(`Kept: ${await backups.keepExport()}`)
  if (kind === 'database') return print(`Kept: ${(await backups.keepDatabase()).filename}`)
  const line = progressLine(steps)
  const { filename, bytes, counts, missingImages, missingFrom, missingFromMessages } = await backups
    .keepComplete({ progress: line.show })
    .finally(line.end)
  const isWhole = missingImages === 0
  print(`${isWhole ? 'Whole' : 'Not whole'}, and read again: ${numbers(counts)}, ${(bytes / 1_000_000).toFixed(1)} MB.`)
  print(`Kept: ${filename}`)
  if (isWhole) return
  const titles = titlesEn(missingFrom)
  const whose = titles ? ` They belong to ${titles}.` : ''
  const theirs = missingFromMessages > 0 ? ` With messages came ${missingFromMessages} of them.` : ''
  complain(`Missing from it, because their files are gone: ${missingImages} photos.${whose}${theirs}`)
  process.exitCode = 3
}

function restore(site: Site, name: string) {
  return withFile(site, name, async (file) => {
    const line = progressLine(steps)
    const report = isExport(name)
      ? await site.backups.mergeExport(file, 'restore')
      : await site.backups.restoreComplete(file, { progress: line.show }).finally(line.end)
    print(`Added: ${numbers(report.added)}.`)
    print(`Brought back: ${report.broughtBack.projects} projects, ${report.broughtBack.contacts} messages.`)
    print(`Already there: ${numbers(report.alreadyThere)}.`)
    const { added, broughtBack } = report.site
    if (added + broughtBack > 0) print(`Texts and photos of the site itself: ${added} added, ${broughtBack} brought back.`)
    if (report.missingImages > 0) complain(`Photos of it that this site does not have: ${report.missingImages}.`)
    print(report.restorePoint ? `How it was before is kept in: ${report.restorePoint}` : 'Nothing had to be changed.')
  })
}

/** Needs no site: a copy is verified wherever it is kept. */
async function verify(config: Config, name: string) {
  const place = placeOf(name)
  const file = existsSync(place) ? await openFile(place) : await openListed(config, name)
  if (!file) throw noSuchFile(place)
  await verifyFile(file, name).finally(() => file.close())
}

async function openListed(config: Config, name: string) {
  if (!config.bucket && !existsSync(config.dataDir)) return undefined
  return isBackupName(name) ? (await openStorage(config, { readOnly: true })).open(storedBackup(name)) : undefined
}

async function verifyFile(file: OpenFile, name: string) {
  if (isExport(name)) {
    const { counts } = await checkExport(() => piecesOf(file))
    return print(`Whole: ${counts.projects} projects, ${counts.contacts} messages.`)
  }
  if (isDatabaseBackup(name)) {
    if (!file.file || !name.endsWith('.sqlite'))
      throw new WrongUse('Only PostgreSQL itself can read that: docs/deploy.md says how.')
    quickCheck(file.file, { readOnly: true })
    return print('Whole: a database of this site.')
  }
  const encoder = await openEncoder()
  const line = progressLine(steps)
  const { manifest } = await readArchive(file, { judge: encoder.judge, progress: line.show }).finally(async () => {
    line.end()
    await encoder.stop()
  })
  print(`Whole: ${numbers(manifest.counts)}, made ${manifest.createdAt}.`)
  const missing = missingFromBackup(path.basename(name))
  if (missing === 0) return
  complain(`Missing from it since it was made: ${missing} photos.`)
  process.exitCode = 3
}

/** A file of this machine, or a listed backup where the site keeps it. */
async function withFile(site: Site, name: string, use: (file: OpenFile) => Promise<void>) {
  const place = placeOf(name)
  const file = existsSync(place) ? await openFile(place) : await site.backups.open(name)
  if (!file) throw noSuchFile(place)
  await use(file).finally(() => file.close())
}

/** npm runs its scripts in the project's folder; a path is meant from where it was typed. */
function placeOf(name: string) {
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), name)
}

function noSuchFile(place: string) {
  return new WrongUse(
    `There is no file ${place} that the account of the site can read, and no backup of that name on the site.`,
  )
}

/** Also a database that was set aside, whatever its name. */
function isDatabaseBackup(name: string) {
  return name.endsWith('.sqlite') || backupType(path.basename(name)) === 'database'
}

function isExport(name: string) {
  return name.toLowerCase().endsWith('.json')
}

function numbers({ projects, contacts, images, inquiryPhotos }: Counts) {
  const theirs = inquiryPhotos > 0 ? `, ${inquiryPhotos} photos of visitors` : ''
  return `${projects} projects, ${contacts} messages, ${images} photos${theirs}`
}

function print(text: string) {
  process.stdout.write(`${text}\n`)
}

function complain(text: string) {
  process.stderr.write(`${text}\n`)
}

keepFilesPrivate()
run(process.argv.slice(2)).catch((thrown: unknown) => {
  const error = asDiskProblem(thrown)
  complain(error instanceof Error ? error.message : String(error))
  process.exitCode = error instanceof WrongUse ? 2 : 1
})
