import { existsSync } from 'node:fs'
import path from 'node:path'
import { backupType } from '#contract/backups.ts'
import { systemClock as clock } from './clock.ts'
import { readConfig } from './config.ts'
import { progressLine } from './console-progress.ts'
import { openDatabase } from './database/open.ts'
import { encoderProgram } from './encoder-program.ts'
import { createBackups } from './features/backups/backups.ts'
import { parseExport } from './features/backups/export.rules.ts'
import type { Step } from './features/backups/progress.ts'
import { createEncoder } from './features/images/encoder.ts'
import { encoderProcess } from './features/images/encoder-process.ts'
import { objectName } from './features/images/image.rules.ts'
import { imagesLock } from './features/images/store-image.ts'
import { openLog } from './log.ts'
import { openFile } from './storage/open-file.ts'
import { openStorage } from './storage/open-storage.ts'
import type { OpenFile } from './storage/storage.ts'

const usage = `Backups from the console; all of it works while the site runs:
  npm run backup                      a complete backup: projects, messages and photos
  npm run backup -- database          a copy of the whole database
  npm run backup -- export            projects and messages as JSON
  npm run restore -- <file>           adds what is missing and brings changed projects back; deletes nothing
  npm run verify -- <file>            reads a backup as a restore would, and changes nothing
<file> is a file of this machine or the name of a backup the site has listed: complete_backup_….zip or export_….json.
Ends with 0 when all is well, with 1 when something was refused or failed, with 2 when it was asked for wrongly.`

const steps: Record<Step, string> = { writing: 'Writing photos', checking: 'Checking photos', storing: 'Storing photos' }

class WrongUse extends Error {}

type Site = Awaited<ReturnType<typeof openSite>>

async function openSite() {
  const config = readConfig(process.env)
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir })
  const storage = await openStorage(config)
  // The running site notices by itself that there is something new, and makes smaller copies of photos when they are asked for.
  const workshop = encoderProcess({ ...encoderProgram(false), log: await openLog({ logLevel: 'silent' }) })
  const images = { nameOf: objectName, judge: createEncoder(workshop).judge, lock: imagesLock, prepare: () => {} }
  const backups = createBackups({ database, storage, clock, images, contentChanged: () => {} })
  const close = async () => {
    await workshop.stop()
    await database.close()
  }
  return { backups, close }
}

const commands: Record<string, (site: Site, word: string | undefined) => Promise<void>> = { backup, restore, verify }

async function run([command = '', word, ...more]: string[]) {
  const work = commands[command]
  if (!work || more.length > 0) throw new WrongUse(usage)
  if (command === 'backup' ? !['complete', 'database', 'export', undefined].includes(word) : !word) throw new WrongUse(usage)
  const site = await openSite()
  try {
    await work(site, word)
  } finally {
    await site.close()
  }
}

async function backup({ backups }: Site, kind = 'complete') {
  if (kind === 'export') return print(`Kept: ${(await backups.keepExport()).filename}`)
  if (kind === 'database') return print(`Kept: ${(await backups.keepDatabase()).filename}`)
  const line = progressLine(steps)
  const { filename, bytes, counts, missingImages } = await backups.keepComplete({ progress: line.show }).finally(line.end)
  if (missingImages > 0) complain(`Not in it, because their files are gone: ${missingImages} photos.`)
  print(`Whole, and read again: ${numbers(counts)}, ${(bytes / 1_000_000).toFixed(1)} MB.`)
  print(`Kept: ${filename}`)
}

function restore(site: Site, word = '') {
  return withFile(site, word, async (file) => {
    const line = progressLine(steps)
    const report = isExport(word)
      ? await site.backups.mergeExport(parseExport(await textOf(file)), 'restore')
      : await site.backups.restoreComplete(file, { progress: line.show }).finally(line.end)
    print(`Added: ${numbers(report.added)}.`)
    print(`Brought back: ${report.broughtBack.projects} projects.`)
    print(`Already there: ${numbers(report.alreadyThere)}.`)
    print(report.restorePoint ? `How it was before is kept in: ${report.restorePoint}` : 'Nothing had to be changed.')
  })
}

function verify(site: Site, word = '') {
  return withFile(site, word, async (file) => {
    if (isExport(word)) {
      const counts = site.backups.verifyExport(parseExport(await textOf(file)))
      return print(`Whole: ${counts.projects} projects, ${counts.contacts} messages.`)
    }
    const line = progressLine(steps)
    const { counts, createdAt } = await site.backups.verifyComplete(file, { progress: line.show }).finally(line.end)
    print(`Whole: ${numbers(counts)}, made ${createdAt}.`)
  })
}

/** A file of this machine, or a listed backup where the site keeps it. */
async function withFile(site: Site, word: string, use: (file: OpenFile) => Promise<void>) {
  // npm runs its scripts in the project's folder; what was typed is meant from where it was typed.
  const place = path.resolve(process.env.INIT_CWD ?? process.cwd(), word)
  if (backupType(path.basename(word)) === 'database')
    throw new WrongUse('A database backup is put back by hand: docs/deploy.md says how.')
  const file = existsSync(place) ? await openFile(place) : await site.backups.open(word)
  if (!file) throw new WrongUse(`There is no file ${place}, and no backup of that name on the site.`)
  await use(file).finally(() => file.close())
}

async function textOf(file: OpenFile) {
  return (await file.read(0, file.bytes)).toString('utf8')
}

function isExport(word: string) {
  return word.toLowerCase().endsWith('.json')
}

function numbers({ projects, contacts, images }: { projects: number; contacts: number; images: number }) {
  return `${projects} projects, ${contacts} messages, ${images} photos`
}

function print(text: string) {
  process.stdout.write(`${text}\n`)
}

function complain(text: string) {
  process.stderr.write(`${text}\n`)
}

run(process.argv.slice(2)).catch((error: unknown) => {
  complain(error instanceof Error ? error.message : String(error))
  process.exitCode = error instanceof WrongUse ? 2 : 1
})
