import { missingFromBackup, recordsMissingFrom } from '#contract/backups.ts'
import { mostChangesShown } from '#contract/restores.ts'
import { readArchive } from '../backup/archive/read-archive.ts'
import { checkExport } from '../backup/archive/read-export.ts'
import type { Config } from '../config.ts'
import { quickCheck } from '../database/sqlite.ts'
import { type OpenFile, piecesOf } from '../storage/storage.ts'
import { WrongUse } from './args.ts'
import { isDatabaseBackup, isExport, openEncoder, type Site, withBackupFile, withFileAlone } from './open-backup.ts'
import { complain, numbers, print, withProgress } from './output.ts'

export function restore({ backups, config, storage }: Site, input: string) {
  return withBackupFile(input, config, storage, async ({ file, name }) => {
    const report = isExport(name)
      ? await backups.mergeExport(file, 'restore', { filename: name })
      : await withProgress((progress) => backups.restoreComplete(file, { progress, filename: name }))
    print(`Added: ${numbers(report.added)}.`)
    print(`Brought back: ${report.broughtBack.projects} projects, ${report.broughtBack.contacts} messages.`)
    print(`Already there: ${numbers(report.alreadyThere)}.`)
    const { added, broughtBack } = report.site
    if (added + broughtBack > 0) print(`Texts and photos of the site itself: ${added} added, ${broughtBack} brought back.`)
    if (report.missingImages > 0) complain(`Photos of it that this site does not have: ${report.missingImages}.`)
    print(report.canUndo ? 'The page can undo it.' : 'Nothing had to be changed.')
  })
}

export function preview({ backups, config, storage }: Site, input: string) {
  return withBackupFile(input, config, storage, async ({ file, name }) => {
    const preview = await backups.restores.previewOpened({ file, filename: name }, 'restore')
    const { projects, contacts, images, inquiryPhotos, site, changes, missingImages } = preview
    print('A restore would do this. Nothing was changed.')
    const counts = (key: 'added' | 'alreadyThere') => ({
      projects: projects[key],
      contacts: contacts[key],
      images: images[key],
      inquiryPhotos: inquiryPhotos[key],
    })
    print(`Add: ${numbers(counts('added'))}.`)
    print(`Bring back: ${projects.changed} projects, ${contacts.changed} messages.`)
    print(`Already there: ${numbers(counts('alreadyThere'))}.`)
    for (const { change, title, differences } of changes) {
      const fields = differences.map(({ field }) => field).join(', ')
      print(`  ${marks[change]} ${title}${fields && `: ${fields}`}`)
    }
    const more = projects.added + projects.changed - changes.length
    if (more > 0) print(`  and ${more} more than the first ${mostChangesShown}`)
    if (site.length > 0) print(`Texts and photos of the site itself: ${site.map(({ field }) => field).join(', ')}`)
    if (missingImages > 0) complain(`Photos that neither the file nor the site has: ${missingImages}.`)
  })
}

const marks = { added: '+', changed: '~', out_of_trash: '~' }

/** Needs no site: works wherever a copy is kept. */
export function verify(config: Config, input: string) {
  return withFileAlone(input, config, async ({ file, name }) => {
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
    const { counts, createdAt } = await verifyArchive(file)
    print(`Whole: ${numbers(counts)}, made ${createdAt}.`)
    const photos = missingFromBackup(name)
    const records = recordsMissingFrom(name)
    if (photos + records === 0) return
    if (photos > 0) complain(`Missing from it since it was made: ${photos} photos.`)
    if (records > 0) complain(`Missing from it since it was made: ${records} records.`)
    process.exitCode = 3
  })
}

async function verifyArchive(file: OpenFile) {
  const encoder = await openEncoder()
  const read = withProgress((progress) => readArchive(file, { judge: encoder.judge, progress }))
  return (await read.finally(encoder.stop)).manifest
}
