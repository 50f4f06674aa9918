import { missingFromBackup, recordsMissingFrom } from '#contract/backups.ts'
import { mostChangesShown } from '#contract/restores.ts'
import { checkPhotos, openBackupFile } from '../backup/archive/read-backup.ts'
import { readBackupState } from '../backup/backup-state.ts'
import type { Config } from '../config.ts'
import { quickCheck } from '../database/sqlite.ts'
import { Problem } from '../http/problem.ts'
import { WrongUse } from './args.ts'
import { isDatabaseBackup, isExport, type Site, withBackupFile, withFileAlone } from './open-backup.ts'
import { complain, counted, numbers, print, records, withProgress } from './output.ts'

export function restore({ run, config, storage }: Site, input: string) {
  return withBackupFile(input, config, storage, async ({ file, name }) => {
    const { report } = await run({ kind: 'restore', source: { opened: file, filename: name }, without: [] })
    print(`Added: ${numbers(report.added)}.`)
    print(`Brought back: ${records(report.broughtBack)}.`)
    print(`Already there: ${numbers(report.alreadyThere)}.`)
    const { added, broughtBack } = report.site
    if (added + broughtBack > 0) print(`Texts and photos of the site itself: ${added} added, ${broughtBack} brought back.`)
    if (report.missingImages > 0) complain(`Photos of it that this site does not have: ${report.missingImages}.`)
    print(report.canUndo ? 'It can be undone on the page, or with npm run restore -- --undo.' : 'Nothing had to be changed.')
  })
}

export async function undo({ run, database }: Site) {
  const { lastMerge } = await readBackupState(database.db)
  if (!lastMerge) throw new Problem('undo_impossible')
  const { undone } = await run({ kind: 'undo', id: lastMerge.id })
  if (!undone) return
  const { broughtBack, takenOut, left } = undone
  print(`As before: ${records(broughtBack)}.`)
  print(`Into the trash: ${counted(takenOut.projects, 'project')}. Removed: ${counted(takenOut.contacts, 'message')}.`)
  if (undone.site) print('The texts and photos of the site itself are as before.')
  if (left > 0) print(`Left as they are, because they were changed since: ${left}.`)
}

export function preview({ run, config, storage }: Site, input: string) {
  return withBackupFile(input, config, storage, async ({ file, name }) => {
    const preview = await run({ kind: 'preview', source: { opened: file, filename: name }, mode: 'restore' })
    const { projects, contacts, images, inquiryPhotos, site, changes, missingImages } = preview
    print('A restore would do this. Nothing was changed.')
    const counts = (key: 'added' | 'alreadyThere') => ({
      projects: projects[key],
      contacts: contacts[key],
      images: images[key],
      inquiryPhotos: inquiryPhotos[key],
    })
    print(`Add: ${numbers(counts('added'))}.`)
    print(`Bring back: ${records({ projects: projects.changed, contacts: contacts.changed })}.`)
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
    if (isDatabaseBackup(name)) {
      if (!file.file || !name.endsWith('.sqlite'))
        throw new WrongUse('Only PostgreSQL itself can read that: docs/deploy.md says how.')
      quickCheck(file.file, { readOnly: true })
      return print('Whole: a database of this site.')
    }
    const incoming = await openBackupFile(file, name)
    const { counts, photos, createdAt } = incoming
    await withProgress((progress) => checkPhotos(incoming, progress))
    if (isExport(name)) return print(`Whole: ${records(counts)}.`)
    const images = photos.filter(({ kind }) => kind === 'images').length
    print(`Whole: ${numbers({ ...counts, images, inquiryPhotos: photos.length - images })}, made ${createdAt}.`)
    const missing = [counted(missingFromBackup(name), 'photo'), counted(recordsMissingFrom(name), 'record')]
    for (const text of missing.filter((each) => !each.startsWith('0 '))) {
      complain(`Missing from it since it was made: ${text}.`)
      process.exitCode = 3
    }
  })
}
