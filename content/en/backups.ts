import type { BackupWarning, WorkKind, WorkStep } from '#contract/backup-status.ts'
import type { BackupMaker, BackupType, Counts, MergeReport, Owners } from '#contract/backups.ts'
import type { ProjectChange, RestoredReport } from '#contract/restores.ts'
import { inWords } from '../in-words.ts'

/** `“Galleon”, the site itself and the message from “Ada”`; empty when there is none. */
function ownersOf({ projects, senders, others, site }: Owners) {
  const from = senders.map((name) => `“${name}”`)
  return inWords(
    [
      ...projects.map((title) => `“${title}”`),
      site && 'the site itself',
      from.length > 0 && `the ${from.length === 1 ? 'message' : 'messages'} from ${inWords(from, 'and')}`,
      others > 0 && (others === 1 ? 'one other' : `${others.toLocaleString('en')} others`),
    ],
    'and',
  )
}

const types: Record<BackupType, string> = { database: 'Database', complete: 'Complete', export: 'Export' }

const counting = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const projectsAndMessages = ({ projects, contacts }: Pick<Counts, 'projects' | 'contacts'>) =>
  `${counting(projects, 'project', 'projects')}, ${counting(contacts, 'message', 'messages')}`

const counted = ({ images, inquiryPhotos, ...records }: Counts) => {
  const sent = inquiryPhotos > 0 ? `, ${counting(inquiryPhotos, 'photo', 'photos')} from visitors` : ''
  return `${projectsAndMessages(records)}, ${counting(images, 'photo', 'photos')}${sent}`
}

const makers: Record<BackupMaker, string> = {
  night: 'made automatically',
  person: 'made by hand',
  restore: 'restore point',
}

/** Why something failed and when it is retried; empty when unknown. */
export type Failure = { reason: string; nextTry: string }

const after = ({ reason, nextTry }: Failure) => `${reason && ` ${reason}`}${nextTry && ` Next try: ${nextTry}.`}`

/** What is missing, and what to do. */
const warnings: Record<BackupWarning, (failure: Failure) => string> = {
  nothing_yet: () => 'No complete backup yet. Press “Create Complete Backup” to make one now.',
  nightly_off: () => 'Nightly backups are off. Turn them on under “Schedule”.',
  night_failed: (failure) => `Last night’s backup failed.${after(failure)}`,
  night_late: () => 'Last night’s backup is missing. Press “Create Complete Backup” to make one now.',
  not_whole: () =>
    'Photos are missing from the latest complete backup: their files are gone or damaged. Upload them again, then create another one.',
  records_missing: () =>
    'Records that cannot be read are missing from the latest complete backup. Press “Create Complete Backup” to see which.',
  copy_failed: (failure) => `The off-site copy of the latest backup failed.${after(failure)}`,
  copy_late: () => 'The latest backup has no off-site copy yet. Check that the off-site target can be reached.',
  trial_failed: (failure) =>
    `The restore test of the latest backup failed.${failure.reason && ` ${failure.reason}`} Create another complete backup.`,
}

const kinds: Record<WorkKind, string> = {
  night: 'Making the nightly backup',
  complete: 'Making a complete backup',
  database: 'Making a database backup',
  export: 'Exporting data',
  preview: 'Preparing a preview',
  restore: 'Restoring a backup',
  import: 'Importing an export',
  undo: 'Undoing a restore',
  copy: 'Copying a backup off-site',
  'restore-test': 'Testing a restore of the latest backup',
  integrity: 'Checking the database and the photos',
}

const steps: Record<WorkStep, string> = {
  reading: 'reading',
  writing: 'writing photos',
  checking: 'checking photos',
  storing: 'storing photos',
  merging: 'writing texts and messages',
}

const changes: Record<ProjectChange['change'], string> = { added: 'Added', changed: 'Changed', out_of_trash: 'From the trash' }

type Quarantine = { photos: number; size: string; since: string; days: number }

export const backups = {
  title: 'Backup Management',
  all: 'All backups',
  line: {
    loading: 'Checking backup status…',
    failed: 'Backup status could not be loaded.',
    /** `when` comes from `at`. */
    backedUp: (when: string) => `Everything is safe: ${when}`,
    verified: 'checked',
    copiedOffsite: 'copied off-site',
    makeOne: 'Make one now',
    bringBack: 'Bring something back',
    restoreTested: (day: string) => `restore tested on ${day}`,
    latest: (when: string) => `The latest checked backup: ${when}.`,
    warnings,
    next: (when: string) => `Next backup: ${when}.`,
    noRestoreTest: 'The latest backup has no restore test: the server does not have enough disk space.',
    testedOnBuiltIn: 'The restore test used the built-in database: PostgreSQL does not allow this site to create one.',
    noOffsiteCopy:
      'Backups exist only on this server and would be lost with it. To set up off-site copies, see docs/deploy.md.',
    at: {
      today: (time: string) => `today ${time}`,
      yesterday: (time: string) => `yesterday ${time}`,
      tomorrow: (time: string) => `tomorrow ${time}`,
      on: (time: string, day: string) => `${day}, ${time}`,
      lastNight: (time: string) => `last night ${time}`,
    },
  },
  schedule: {
    open: 'Schedule',
    title: 'Nightly backups',
    text: 'Made and verified automatically.',
    nightly: 'Make a complete backup every night',
    nightlyHint: 'If the server is off at that time, it runs when the server is back.',
    at: 'Time',
    atHint: (now: string) => `By the workshop’s clock, which now says ${now}.`,
    keep: 'How many to keep',
    keepHint: 'One per day, week and month. Backups you make yourself stay until you delete them.',
    daily: 'Days',
    weekly: 'Weeks',
    monthly: 'Months',
    notATime: 'Enter a time such as 03:00.',
    between: (least: number, most: number) => `Enter a whole number from ${least} to ${most}.`,
    save: 'Save',
    saving: 'Saving...',
    done: 'Schedule saved.',
    failed: 'The schedule could not be saved. Please try again.',
  },
  working: {
    kinds,
    steps,
    line: (kind: string, step: string) => `${kind}: ${step}`,
    others: 'Other backups and restores wait until it is done.',
    refused: 'Another backup or restore is running. Wait until it is done, then try again.',
  },
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
    text: 'Projects, messages and site texts in one JSON file, kept on the server and downloaded to you.',
    action: 'Export Data',
    busy: 'Exporting...',
    done: 'Application data exported and downloaded',
    failed: 'Failed to export application data',
  },
  import: {
    title: 'Import Data',
    text: 'Adds what is new in an export. Nothing is changed or deleted.',
    action: 'Import Data',
    dialogText: 'Paste an export, or drop the file here. What is already on the site stays as it is.',
    label: 'JSON data',
    placeholder: '{ "projects": [ … ], "contacts": [ … ] }',
    choose: 'Choose a file',
    pastedName: 'pasted.json',
    another: 'Paste something else',
    submit: 'Import',
    busy: 'Importing...',
    invalid: 'Invalid JSON format',
    done: (projects: number, contacts: number) => `Import completed: ${projects} projects, ${contacts} contacts`,
    failed: 'Failed to import data',
  },
  /** Of a backup or an export. */
  leftOut: (records: Owners) =>
    `Created, but without records that cannot be read: ${ownersOf(records)}. If a project is among them, open it, save it and create another one.`,
  complete: {
    title: 'Complete Backup',
    text: 'A zip with data and images, verified before it is listed.',
    action: 'Create Complete Backup',
    busy: 'Creating...',
    done: 'Complete backup with images created successfully',
    owners: ownersOf,
    missing: (images: number, owners: Owners) =>
      [
        images === 1
          ? 'A complete backup was created, but one photo is missing from it: its file is gone or damaged.'
          : `A complete backup was created, but ${images} photos are missing from it: their files are gone or damaged.`,
        ownersOf(owners) && `${images === 1 ? 'It belongs' : 'They belong'} to ${ownersOf(owners)}.`,
        owners.projects.length > 0 && 'Upload photos of projects again.',
        owners.senders.length > 0 && 'For photos from messages, restore a complete backup that has them.',
      ]
        .filter(Boolean)
        .join(' '),
    failed: 'Failed to create complete backup',
  },
  restore: {
    title: 'Restore Complete Backup',
    text: 'Adds what is new in a zip and restores changed projects and site texts.',
    action: 'Restore Backup',
    dialogText: 'The whole file is checked before anything changes. Nothing is deleted, and you can undo it.',
    choose: 'Choose a .zip file',
    drop: 'or drop it here',
    submit: 'Restore',
    busy: 'Restoring...',
    notZip: 'Please select a ZIP file',
    done: (projects: number, contacts: number, images: number) =>
      `Complete backup restored: ${projects} projects, ${contacts} contacts, ${images} images found`,
    /** Of an export. */
    exportTitle: 'Restore Export',
    exportDone: (projects: number, contacts: number) => `Export restored: ${projects} projects, ${contacts} contacts`,
    failed: 'Failed to restore complete backup',
    uploadFailed: 'Upload failed',
  },
  merge: {
    uploading: 'Uploading',
    checking: 'Checking what would change…',
    previewFailed: 'The preview could not be prepared. Nothing was changed.',
    retry: 'Try again',
    lost: 'The connection was lost. If the work had begun, it continues on the server, and the result appears here once the server answers.',
    lostUnchanged: 'The connection was lost. Nothing was changed. Please try again.',
  },
  preview: {
    title: 'What would change',
    of: (filename: string, made: string) => `${filename}${made && `, made on ${made}`}`,
    nothing: 'The site already has everything in this file. Nothing would change.',
    names: {
      projects: 'Projects',
      contacts: 'Messages',
      images: 'Photos',
      inquiryPhotos: 'Photos from visitors',
      site: 'Site texts',
    },
    added: (count: number) => `${count} added`,
    changed: (count: number) => `${count} changed`,
    alreadyThere: (count: number) => `${count} unchanged`,
    missing: (photos: number) =>
      photos === 1
        ? 'One photo is neither in the file nor on this site.'
        : `${photos} photos are neither in the file nor on this site.`,
    changes,
    models: 'Projects to add or change',
    all: 'Select all',
    chosen: (count: number, all: number) => `${count} of ${all} selected`,
    include: (title: string) => `Include ${title}`,
    titleOnSite: (title: string) => `On the site: ${title}`,
    differing: (count: number) => (count === 1 ? 'One field differs' : `${count} fields differ`),
    more: (count: number) =>
      count === 1 ? 'One more is included but not shown.' : `${count} more are included but not shown.`,
    site: 'Site texts and photos to change',
    current: 'Now',
    incoming: 'In the file',
    photos: (current: number, incoming: number) => {
      if (current !== incoming) return `${counting(current, 'photo', 'photos')} now, ${incoming} in the file`
      return incoming === 1 ? 'The file has a different photo' : 'The file has different photos'
    },
    empty: '(empty)',
    original: '(original)',
    yes: 'Yes',
    no: 'No',
    fields: { createdAt: 'Date', captions: 'Photo captions' } as Record<string, string>,
  },
  report: {
    title: { import: 'Last import', restore: 'Last restore' },
    added: (counts: Counts) => `Added: ${counted(counts)}`,
    broughtBack: (counts: Counts) => `Restored: ${projectsAndMessages(counts)}`,
    alreadyThere: (counts: Counts) => `Unchanged: ${counted(counts)}`,
    /** Empty when they stayed as they were. */
    site: ({ added, broughtBack }: MergeReport['site']) =>
      added + broughtBack > 0
        ? `Site texts and photos: ${added} added, ${broughtBack} restored. The previous version is kept.`
        : '',
    unchanged: 'Nothing needed to change.',
    missing: (photos: number) =>
      photos === 1
        ? 'One of its photos is not on this site. Restore a complete backup that has it.'
        : `${photos} of its photos are not on this site. Restore a complete backup that has them.`,
    of: (filename: string, when: string) => `${filename}, ${when}`,
    dismiss: 'Dismiss this report',
    dismissTip: 'Dismiss',
    dismissFailed: 'The report could not be dismissed. Please try again.',
    undo: 'Undo',
    undoHint: 'Available until you dismiss this report or restore something else.',
    undoing: 'Undoing...',
    undoTitle: 'Undo this?',
    undoText: (added: number, broughtBack: number, messages: number) =>
      [
        'Everything it changed goes back to how it was.',
        broughtBack > 0 && `${counting(broughtBack, 'project gets its', 'projects get their')} earlier texts and photos back.`,
        added > 0 && `${counting(added, 'added project moves', 'added projects move')} to the trash.`,
        messages > 0 && `${counting(messages, 'added message is', 'added messages are')} removed.`,
        'Anything changed since then stays as it is.',
      ]
        .filter(Boolean)
        .join(' '),
    undoFailed: 'It could not be undone. Nothing was changed.',
    undoDone: 'Undone: everything is back as it was',
    undone: (when: string) => `Undone ${when}`,
    reverted: ({ broughtBack, takenOut }: NonNullable<RestoredReport['undone']>) =>
      `Reverted: ${projectsAndMessages(broughtBack)}. Removed: ${counting(takenOut.projects, 'project', 'projects')} (in the trash), ${counting(takenOut.contacts, 'message', 'messages')}.`,
    revertedSite: 'Site texts are back as they were.',
    left: (count: number) =>
      count === 1
        ? 'One had been changed since then and stays as it is.'
        : `${count} had been changed since then and stay as they are.`,
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
    missingRecords: (records: number) => (records === 1 ? '1 record missing' : `${records} records missing`),
    download: 'Download',
    downloadOf: (filename: string) => `Download ${filename}`,
    encrypted: 'Downloads are encrypted. The age program decrypts them with this site’s secret.',
    makers,
    copied: 'Off-site copy',
    restore: 'Restore',
    restoreOf: (filename: string) => `Restore ${filename}`,
    delete: 'Delete',
    deleteOf: (filename: string) => `Delete ${filename}`,
    deleteTitle: 'Delete Backup',
    deleteText: 'Are you sure you want to delete this backup from the server? This action cannot be undone.',
    deleteCopied: 'Its off-site copy stays.',
    lastText: 'This is your last complete backup. Without it, lost data cannot be recovered.',
    lastBox: 'I understand. Delete it anyway.',
    deleted: 'Backup deleted',
    deleteFailed: 'The backup could not be deleted. Please try again.',
    more: (left: number) => `Show more backups (${left} left)`,
  },
  info: {
    title: 'Which backup is which',
    points: [
      ['Database Backup', 'the whole database in one file, for rebuilding the server.'],
      ['Export Data', 'projects, messages and site texts in a format any program can read.'],
      ['Complete Backup', 'projects, messages, texts and photos in one zip: everything visitors see and send.'],
    ],
    tips: [
      'Tip: if a database backup fails because of version issues, Export Data is the reliable option.',
      'Import merges with existing data without duplicating.',
      'Keep an off-site copy: a backup on the same disk is lost with it.',
    ],
    quarantine: ({ photos, size, since, days }: Quarantine) =>
      photos === 1
        ? `One unused photo (${size}) has been in quarantine since ${since}. It is kept for at least ${days} days and comes back if a project uses it.`
        : `${photos} unused photos (${size}) have been in quarantine since ${since}. They are kept for at least ${days} days and come back if a project uses them.`,
  },
  types,
}

export type BackupTexts = typeof backups
