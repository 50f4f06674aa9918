import { mostChangesShown } from '#contract/restores.ts'
import { isExport, withBackupFile } from './backup-file.ts'
import type { Site } from './backup-site.ts'
import { complain, numbers, print, withProgress } from './say.ts'

export function restore({ backups, config, storage }: Site, asked: string) {
  return withBackupFile(asked, config, storage, async ({ file, name }) => {
    const report = isExport(name)
      ? await backups.mergeExport(file, 'restore', { filename: name })
      : await withProgress((progress) => backups.restoreComplete(file, { progress, filename: name }))
    print(`Added: ${numbers(report.added)}.`)
    print(`Brought back: ${report.broughtBack.projects} projects, ${report.broughtBack.contacts} messages.`)
    print(`Already there: ${numbers(report.alreadyThere)}.`)
    const { added, broughtBack } = report.site
    if (added + broughtBack > 0) print(`Texts and photos of the site itself: ${added} added, ${broughtBack} brought back.`)
    if (report.missingImages > 0) complain(`Photos of it that this site does not have: ${report.missingImages}.`)
    print(report.restorePoint ? `How it was before is kept in: ${report.restorePoint}` : 'Nothing had to be changed.')
  })
}

export function preview({ backups, config, storage }: Site, asked: string) {
  return withBackupFile(asked, config, storage, async ({ file, name }) => {
    const found = await backups.restores.look({ file, isArchive: !isExport(name) }, 'restore')
    const { projects, contacts, images, inquiryPhotos, site, changes, missingImages } = found
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
