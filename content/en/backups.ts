import type { Shortfall, WorkKind, WorkStep } from '#contract/backup-care.ts'
import type { BackupMaker, BackupType, Counts, MergeReport } from '#contract/backups.ts'
import type { NamedProjects } from '#contract/named-projects.ts'
import type { ProjectChange, RestoredReport } from '#contract/restores.ts'
import { titles } from './titles.ts'

const types: Record<BackupType, string> = { database: 'Database', complete: 'Complete', export: 'Export' }

const counted = ({ projects, contacts, images, inquiryPhotos }: Counts) =>
  `${projects} projects, ${contacts} contacts, ${images} images${inquiryPhotos > 0 ? `, ${inquiryPhotos} photos of visitors` : ''}`

const makers: Record<BackupMaker, string> = { night: 'Made by itself', person: 'Made by hand', restore: 'Before a restore' }

/** What is known of something that is missing: why, and when it is tried again. Empty when it is not known. */
export type Missing = { why: string; again: string }

const after = ({ why, again }: Missing) => `${why && ` ${why}`}${again && ` It is tried again at ${again}.`}`

/** What is missing, and what to do. */
const missing: Record<Shortfall, (known: Missing) => string> = {
  nothing_yet: () => 'There is no complete backup yet. Press “Create Complete Backup” to make one now.',
  nightly_off: () => 'No backup is made by itself. Switch it on under “Every night”.',
  night_failed: (known) => `The last night brought no backup.${after(known)}`,
  night_late: () => 'The last night brought no backup. Press “Create Complete Backup” to make one now.',
  not_whole: () =>
    'Photos are missing from the newest complete backup: their files are gone or damaged. Upload them again and make another backup.',
  records_missing: () =>
    'Records that cannot be read are missing from the newest complete backup. Press “Create Complete Backup” to see which.',
  copy_failed: (known) => `The newest backup could not be copied elsewhere.${after(known)}`,
  copy_late: () => 'The newest backup is not copied elsewhere yet. See whether the second place can be reached.',
  trial_failed: (known) =>
    `Trying out the newest backup did not succeed.${known.why && ` ${known.why}`} Make another complete backup.`,
}

const kinds: Record<WorkKind, string> = {
  night: 'The backup of the night is being made',
  complete: 'A complete backup is being made',
  database: 'A database backup is being made',
  restore: 'A backup is being restored',
  import: 'An export is being imported',
  undo: 'A restore is being undone',
}

const steps: Record<WorkStep, string> = {
  reading: 'reading',
  writing: 'writing photos',
  checking: 'checking photos',
  storing: 'storing photos',
  merging: 'writing texts and messages',
}

const changes: Record<ProjectChange['change'], string> = {
  added: 'Added',
  changed: 'Changed',
  out_of_trash: 'Out of the trash',
}

const counting = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

type Aside = { photos: number; size: string; since: string; days: number }

export const backups = {
  title: 'Backup Management',
  line: {
    loading: 'Looking how safe everything is…',
    failed: 'How safe everything is could not be read.',
    /** `when` comes from `at`. */
    safe: (when: string) => `Safe as of ${when}`,
    checked: 'checked',
    copied: 'copied elsewhere',
    triedOut: (day: string) => `tried out on ${day}`,
    newest: (when: string) => `What was there at ${when} is safe and was checked.`,
    missing,
    next: (when: string) => `The next one is made at ${when}.`,
    untried: 'The newest backup could not be tried out: there is not enough room on the disk of the server.',
    nowhereElse: 'Backups are on this machine only and would be lost with it. docs/deploy.md says how to name a second place.',
    at: {
      today: (time: string) => `${time} today`,
      yesterday: (time: string) => `${time} yesterday`,
      tomorrow: (time: string) => `${time} tomorrow`,
      on: (time: string, day: string) => `${time} on ${day}`,
    },
  },
  nights: {
    open: 'Every night',
    title: 'Every night',
    text: 'A complete backup, read again and checked, without anybody thinking of it.',
    nightly: 'Make a complete backup every night',
    nightlyHint: 'A machine that slept through the hour makes it after waking.',
    at: 'At',
    atHint: (zone: string) => `By the clock of ${zone}.`,
    keep: 'How long they are kept',
    keepHint: 'One for each day, week and month. What you make by hand is kept until you delete it.',
    daily: 'Days',
    weekly: 'Weeks',
    monthly: 'Months',
    notATime: 'A time such as 03:00 is needed here.',
    between: (least: number, most: number) => `A whole number from ${least} to ${most} is needed here.`,
    save: 'Save',
    saving: 'Saving...',
    done: 'Saved. This is how backups are made and kept from now on.',
    failed: 'The settings could not be saved. Please try again.',
  },
  working: {
    kinds,
    steps,
    line: (kind: string, step: string) => `${kind}: ${step}`,
    counted: (done: number, total: number) => `${done} of ${total}`,
    others: 'Everything else that makes or restores backups waits until it has finished.',
    refused: 'Another backup or restore is under way. Wait until it has finished and try again.',
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
    pastedName: 'pasted.json',
    large: (name: string, size: string) => `${name} (${size}) is not shown here. What it would bring is told below.`,
    another: 'Paste something else',
    submit: 'Import',
    busy: 'Importing...',
    invalid: 'Invalid JSON format',
    done: (projects: number, contacts: number) => `Import completed: ${projects} projects, ${contacts} contacts`,
    failed: 'Failed to import data',
  },
  /** Of a backup or an export. */
  leftOut: (records: NamedProjects) =>
    `It was created without records that cannot be read: ${titles(records)}. Open and save them again, then make another one.`,
  complete: {
    title: 'Complete Backup',
    text: 'A zip with data and images, read again and verified before it is listed.',
    action: 'Create Complete Backup',
    busy: 'Creating...',
    done: 'Complete backup with images created successfully',
    missing: (images: number, shownBy: NamedProjects, sent: number) => {
      const whose = titles(shownBy)
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
    loading: 'One moment…',
    failed: 'This part of the panel could not be loaded.',
    uploading: 'Uploading',
    resumed: 'Uploading goes on where it ended',
    keeps: 'What has arrived is kept: close this and choose the same file later, and it goes on where it ended.',
    goOn: 'Go on',
    looking: 'Looking what it would do. Nothing is changed yet…',
    lookFailed: 'What it would do could not be found out. Nothing was changed.',
    lookAgain: 'Look again',
    lost: 'The connection is lost. If the work has begun, it goes on at the server; how it ended is shown as soon as it answers.',
    lostUndone: 'The connection was lost, and nothing was changed. Please try again.',
  },
  preview: {
    title: 'What would happen',
    of: (filename: string, made: string) => `${filename}${made && `, made on ${made}`}`,
    nothing: 'Everything in the file is here already. Nothing would be changed.',
    names: {
      projects: 'Models',
      contacts: 'Messages',
      images: 'Photos',
      inquiryPhotos: 'Photos of visitors',
      site: 'Texts of the site',
    },
    added: (count: number) => `${count} added`,
    changed: (count: number) => `${count} changed`,
    alreadyThere: (count: number) => `${count} there already`,
    missing: (photos: number) =>
      photos === 1
        ? 'One photo is neither in the file nor on this site.'
        : `${photos} photos are neither in the file nor on this site.`,
    changes,
    models: 'Models that would be added or changed',
    all: 'All of these',
    chosen: (count: number, all: number) => `${count} of ${all} chosen`,
    take: (title: string) => `Take ${title}`,
    called: (title: string) => `Here: ${title}`,
    differing: (count: number) => (count === 1 ? 'One field is different' : `${count} fields are different`),
    more: (count: number) =>
      count === 1 ? 'One more is not shown here and is taken too.' : `${count} more are not shown here and are taken too.`,
    site: 'Texts and photos of the site that would be changed',
    here: 'Now',
    theirs: 'In the file',
    photoHere: (title: string) => `${title}: the photo now`,
    photoTheirs: (title: string) => `${title}: the photo in the file`,
    empty: '(empty)',
    asItCame: '(as it came)',
    yes: 'Yes',
    no: 'No',
    fields: {
      createdAt: 'Date',
      captions: 'Captions of the photos',
    } as Record<string, string>,
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
    of: (filename: string, when: string) => `${filename}, ${when}`,
    putAway: 'Put this report away',
    putAwayTip: 'Put away',
    putAwayFailed: 'The report could not be put away. Please try again.',
    undo: 'Undo',
    undoHint: 'Possible until this report is put away or something else is restored.',
    undoing: 'Undoing...',
    undoTitle: 'Undo it?',
    undoText: (added: number, broughtBack: number, messages: number) =>
      [
        'Everything it has changed becomes as it was before.',
        broughtBack > 0 && `${counting(broughtBack, 'model goes', 'models go')} back to the texts and photos from before.`,
        added > 0 && `${counting(added, 'model that was added goes', 'models that were added go')} into the trash.`,
        messages > 0 && `${counting(messages, 'message that was added is', 'messages that were added are')} removed.`,
        'What somebody has changed since is left as it is.',
      ]
        .filter(Boolean)
        .join(' '),
    undoFailed: 'It could not be undone. Nothing was changed.',
    undoDone: 'Undone: everything is as it was before',
    undone: (when: string) => `Undone ${when}`,
    undid: ({ broughtBack, takenOut }: NonNullable<RestoredReport['undone']>) =>
      `As before: ${broughtBack.projects} projects, ${broughtBack.contacts} contacts. Taken out: ${takenOut.projects} projects (in the trash), ${takenOut.contacts} contacts.`,
    undidSite: 'The texts of the site are as they were.',
    left: (count: number) =>
      count === 1
        ? 'One was changed by somebody since and was left as it is.'
        : `${count} were changed by somebody since and were left as they are.`,
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
    encrypted: 'What you download here is encrypted. The program age opens it with the secret of this site.',
    makers,
    copied: 'Copied elsewhere',
    restore: 'Restore',
    restoreOf: (filename: string) => `Restore ${filename}`,
    delete: 'Delete',
    deleteOf: (filename: string) => `Delete ${filename}`,
    deleteTitle: 'Delete Backup',
    deleteText: 'Are you sure you want to delete this backup from the server? This action cannot be undone.',
    deleteCopied: 'Its copy elsewhere stays.',
    lastText: 'This is the last complete backup to fall back on. Without it, what is lost stays lost.',
    lastBox: 'I know. Delete the last one as well.',
    deleted: 'Backup deleted',
    deleteFailed: 'The backup could not be deleted. Please try again.',
    more: (left: number) => `Show more backups (${left} left)`,
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

export type BackupTexts = typeof backups
