import type { BackupType, Counts, MergeReport } from '#contract/backups.ts'
import type { NamedProjects } from '#contract/named-projects.ts'
import { titlesEn } from './titles.ts'

const types: Record<BackupType, string> = { database: 'Database', complete: 'Complete', export: 'Export' }

const counted = ({ projects, contacts, images, inquiryPhotos }: Counts) =>
  `${projects} projects, ${contacts} contacts, ${images} images${inquiryPhotos > 0 ? `, ${inquiryPhotos} photos of visitors` : ''}`

type Aside = { photos: number; size: string; since: string; days: number }

export const backupsEn = {
  title: 'Backup Management',
  database: {
    title: 'Database Backup',
    text: 'A copy of the whole database, accounts included, kept on the server.',
    action: 'Create DB Backup',
    busy: 'Creating...',
    done: 'Database backup created successfully',
    failed: 'Failed to create database backup',
  },
  export: {
    title: 'Export Data',
    text: 'Projects, messages and the texts of the site as one JSON file, kept here and downloaded to you.',
    action: 'Export Data',
    busy: 'Exporting...',
    done: 'Application data exported and downloaded',
    failed: 'Failed to export application data',
  },
  import: {
    title: 'Import Data',
    text: 'Adds what is missing from an export. Nothing is changed or deleted.',
    action: 'Import Data',
    dialogText: 'Paste the contents of an export, or drop the file here. What is already on the site stays as it is.',
    label: 'JSON data',
    placeholder: '{ "projects": [ … ], "contacts": [ … ] }',
    choose: 'Choose a file',
    submit: 'Import',
    busy: 'Importing...',
    invalid: 'Invalid JSON format',
    done: (projects: number, contacts: number) => `Import completed: ${projects} projects, ${contacts} contacts`,
    failed: 'Failed to import data',
  },
  complete: {
    title: 'Complete Backup',
    text: 'A zip with data and images, read again and verified before it is listed.',
    action: 'Create Complete Backup',
    busy: 'Creating...',
    done: 'Complete backup with images created successfully',
    missing: (images: number, shownBy: NamedProjects, sent: number) => {
      const whose = titlesEn(shownBy)
      const theirs =
        sent < images
          ? `${sent === 1 ? 'One of them' : `${sent} of them`} came with messages: restore a complete backup that has them. Upload the others again.`
          : 'They came with messages: restore a complete backup that has them.'
      return images === 1
        ? `A complete backup was created, but one photo is missing from it: its file is gone.${whose ? ` It belongs to ${whose}.` : ''} ${sent > 0 ? 'It came with a message: restore a complete backup that has it.' : 'Upload it again.'}`
        : `A complete backup was created, but ${images} photos are missing from it: their files are gone.${whose ? ` They belong to ${whose}.` : ''} ${sent > 0 ? theirs : 'Upload them again.'}`
    },
    failed: 'Failed to create complete backup',
  },
  restore: {
    title: 'Restore Complete Backup',
    text: 'Adds what is missing from a zip and brings back changed projects and the texts of the site.',
    action: 'Restore Backup',
    dialogText:
      'Everything in the file is checked before anything is changed, and a restore point is kept first. Nothing is deleted.',
    choose: 'Choose a .zip file',
    drop: 'or drop it here',
    chosen: (name: string, size: string) => `${name} (${size})`,
    submit: 'Restore',
    busy: 'Restoring...',
    uploading: 'Uploading',
    working: 'The file has arrived. Checking and restoring it…',
    notZip: 'Please select a ZIP file',
    done: (projects: number, contacts: number, images: number) =>
      `Complete backup restored: ${projects} projects, ${contacts} contacts, ${images} images found`,
    failed: 'Failed to restore complete backup',
    uploadFailed: 'Upload failed',
  },
  report: {
    title: { import: 'What the last import did', restore: 'What the last restore did' },
    added: (counts: Counts) => `Added: ${counted(counts)}`,
    broughtBack: ({ projects, contacts }: Counts) => `Brought back: ${projects} projects, ${contacts} contacts`,
    alreadyThere: (counts: Counts) => `Already there: ${counted(counts)}`,
    /** Empty when they stayed as they were. */
    site: ({ added, broughtBack }: MergeReport['site']) =>
      added + broughtBack > 0
        ? `Texts and photos of the site: ${added} added, ${broughtBack} brought back. The version before is kept.`
        : '',
    restorePoint: (filename: string) => `How it was before is kept in ${filename}`,
    unchanged: 'Nothing had to be changed.',
    missing: (photos: number) =>
      photos === 1
        ? 'One of its photos is not on this site. Restore a complete backup to bring it.'
        : `${photos} of its photos are not on this site. Restore a complete backup to bring them.`,
  },
  list: {
    title: 'Available Backups',
    loading: 'Loading backups…',
    failed: 'Failed to fetch backups',
    empty: 'No backups found',
    refresh: 'Refresh the list of backups',
    refreshTip: 'Refresh',
    unknownDate: 'Unknown',
    missing: (photos: number) => (photos === 1 ? '1 photo missing' : `${photos} photos missing`),
    download: 'Download',
    downloadOf: (filename: string) => `Download ${filename}`,
  },
  info: {
    title: 'Which backup is which',
    points: [
      ['Database Backup', 'the whole database as a file for the day the server has to be rebuilt.'],
      ['Export Data', 'projects, messages and the texts of the site in a form any program can read.'],
      ['Complete Backup', 'projects, messages, texts and photos in one zip: everything visitors see and send.'],
    ],
    tips: [
      'Tip: if a database backup fails because of version issues, Export Data is the reliable option.',
      'Import merges with existing data without duplicating.',
      'Keep a copy somewhere else: a backup on the same disk is lost with it.',
    ],
    aside: ({ photos, size, since, days }: Aside) =>
      photos === 1
        ? `One photo (${size}) that nothing refers to has been set aside since ${since}. It is kept for ${days} days of running and comes back by itself when a project shows it.`
        : `${photos} photos (${size}) that nothing refers to have been set aside since ${since}. They are kept for ${days} days of running and come back by themselves when a project shows them.`,
  },
  types,
}

export type BackupTexts = typeof backupsEn
