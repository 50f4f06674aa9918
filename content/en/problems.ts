import { languageName } from '#contract/languages.ts'
import type { PhotoOwners } from '#contract/named-projects.ts'
import { problems } from '#contract/problems.ts'
import {
  type ArchiveReasons,
  type ExportReasons,
  type FieldLabels,
  faultAmong,
  labelOf,
  type ProblemTexts,
  reasonIn,
} from '../problem-sentence.ts'
import { faultSentence, withLabel } from '../value-faults.ts'
import { titles } from './titles.ts'
import { valueFaults } from './value-faults.ts'

const labels: FieldLabels = {
  fields: {
    id: 'id',
    createdAt: 'date',
    title: 'title',
    description: 'description',
    category: 'category',
    imageUrl: 'photo',
    scale: 'scale',
    materials: 'materials',
    techniques: 'techniques',
    timeSpent: 'time spent',
    beforeImageUrl: 'before photo',
    afterImageUrl: 'after photo',
    featured: 'featured',
    photos: 'photos',
    draft: 'draft',
    translations: 'translations',
    rank: 'place in the order',
    deletedAt: 'date of deletion',
    addresses: 'addresses',
    name: 'name',
    email: 'e-mail address',
    projectType: 'project type',
    message: 'text of the message',
    state: 'state',
    language: 'language',
    aboutId: 'id of the project it is about',
    aboutTitle: 'title of the project it is about',
    note: 'note',
    spamReason: 'sign of spam',
    changedAt: 'date of the last change',
    replies: 'replies',
    username: 'username',
    password: 'password',
    currentPassword: 'current password',
    newPassword: 'new password',
  },
  translated: (label, language) => `${label} in ${languageName(language, 'en')}`,
}

const number = (value: number) => value.toLocaleString('en')

const lists: Record<string, { one: string; many: string }> = {
  projects: { one: 'Project', many: 'projects' },
  contacts: { one: 'Message', many: 'messages' },
}
const one = (list: string) => lists[list]?.one ?? list
const many = (list: string) => lists[list]?.many ?? list

function photoOf({ photo, ...owners }: PhotoOwners & { photo: string }) {
  if ('sentBy' in owners) return `A photo in it that came with the message of “${owners.sentBy}”`
  const whose = titles(owners)
  return whose ? `A photo of ${whose} in it` : `A photo in it that no project shows (${photo.slice(0, 8)}…)`
}

const exportReasons: ExportReasons = {
  empty: () => 'There are no projects and no messages in it.',
  foreign: () => 'It is not an export of this site.',
  not_json: () => 'It cannot be read as JSON.',
  not_an_object: () => 'It is not an object.',
  cut_off: () => 'It does not end where it should.',
  too_deep: () => 'It is nested deeper than any record.',
  part_too_long: () => 'Something in it is longer than any record.',
  changed: () => 'It was damaged or changed since it was made. If you changed it yourself, remove the line with sha256.',
  wrong_counts: () => 'It does not hold as many records as it says.',
  incomplete: () => 'It did not arrive whole; please try again.',
  unknown_key: ({ key }) => `It has a part that is not known: ${key}.`,
  key_twice: ({ key }) => `It has ${key} twice.`,
  not_a_list: ({ key }) => `What it has as ${key} is not a list.`,
  too_many: ({ list, most }) => `There are more than ${number(most)} ${many(list)} in it.`,
  too_many_without_ids: ({ list, most }) => `There are more than ${number(most)} ${many(list)} without an id in it.`,
  same_id: ({ list, id }) => `Two ${many(list)} have the same id ${id}.`,
  site: (fault) => withLabel(`The texts of the site${fault.field && `, ${fault.field}`}`, faultSentence(valueFaults, fault)),
  head: (fault) => `What it says of itself (${fault.field}): ${faultSentence(valueFaults, fault)}`,
  record: ({ list, number: place, title, ...fault }) => {
    const record = `${one(list)} ${number(place)}${title ? ` (“${title}”)` : ''}`
    return withLabel(fault.field ? `${record}, ${labelOf(labels, fault.field)}` : record, faultSentence(valueFaults, fault))
  },
}

const archiveReasons: ArchiveReasons = {
  not_a_zip: () => 'It is not a ZIP file, or not a whole one.',
  incomplete: () => 'It did not arrive whole; please try again.',
  damaged: () => 'It is damaged.',
  encrypted: () => 'It is encrypted.',
  foreign_manifest: () => 'Its list of contents is not one of this site.',
  manifest_repeats: () => 'Its list of contents names a file twice.',
  contents_missing: () => 'The list of contents or the records are missing.',
  records_missing: () => 'The records are missing from it.',
  records_damaged: () => 'The records in it are damaged.',
  files_missing: () => 'Files are missing from it.',
  too_many_files: () => 'It holds more files than any backup does.',
  wrong_counts: () => 'It does not hold as many records as it says.',
  wrong_photo_count: () => 'It does not hold as many photos as it says.',
  foreign_file: ({ entry }) => `It holds a file that does not belong there: “${entry}”.`,
  link: ({ entry }) => `“${entry}” in it is a link and not a file.`,
  packed: ({ entry }) => `“${entry}” in it is packed in a way a backup never is.`,
  false_size: ({ entry }) => `“${entry}” in it is not as large as the file says.`,
  too_large: ({ entry }) => `“${entry}” in it is larger than anything a backup holds.`,
  same_name: ({ entry }) => `It holds two files of the same name: “${entry}”.`,
  overlap: ({ entry }) => `“${entry}” in it overlaps another part of the file.`,
  unlisted: ({ entry }) => `It holds a file that is not in its list of contents: “${entry}”.`,
  not_as_listed: ({ entry }) => `“${entry}” in it is not as large as the list of contents says.`,
  misnamed: ({ entry }) => `“${entry}” in it has the wrong name.`,
  two_names: ({ entry }) => `“${entry}” in it has two names.`,
  entry_damaged: ({ entry }) => `“${entry}” in it is damaged.`,
  photo_damaged: (details) => `${photoOf(details)} is damaged.`,
  photo_refused: ({ because, ...details }) => {
    const why = {
      not_an_image: 'is not a photo as this site stores them',
      image_too_many_pixels: 'has more than 50 megapixels',
      image_needs_memory: 'needs too much memory to be opened',
      image_broken: 'is damaged',
    }
    return `${photoOf(details)} ${why[because]}.`
  },
  records_refused: ({ because }) => `The records in it cannot be read. ${reasonIn(exportReasons, because)}`,
}

const plain = Object.fromEntries(Object.entries(problems).map(([code, [, sentence]]) => [code, sentence]))

/** The server speaks English; the panel shows its sentences as they are, and says the same in Spanish. */
export const problemTexts: ProblemTexts = {
  plain: plain as ProblemTexts['plain'],
  detailed: {
    invalid_input: (details, fields) => {
      if (details.reason === 'not_json') return 'That could not be read as JSON. Nothing was changed.'
      const fault = faultAmong(details.faults, fields)
      return withLabel(labelOf(labels, fault.field), faultSentence(valueFaults, fault))
    },
    unsupported_media_type: () => 'This address takes a form with a file.',
    export_refused: (details) =>
      `That is not an export this site can take. ${reasonIn(exportReasons, details)} Nothing was changed.`,
    archive_refused: (details) => {
      const cure = details.reason === 'incomplete' ? '' : ' Choose another file.'
      return `That file is not a complete backup this site can take. ${reasonIn(archiveReasons, details)} Nothing was changed.${cure}`
    },
    backup_too_new: ({ version, newest }) =>
      `That backup was made by a newer version of this site: its format is ${version}, and this site reads up to ${newest}. Nothing was changed. Update the site first, then restore it.`,
    stored_image_damaged: (owners) =>
      'sentBy' in owners
        ? `A photo that came with the message of “${owners.sentBy}” is damaged, so a whole backup cannot be made. Nothing was changed. Restore a complete backup that has it, or delete that message; meanwhile Export Data still works.`
        : `A stored photo of ${titles(owners)} is damaged, so a whole backup cannot be made. Nothing was changed. Upload that photo again; meanwhile Export Data still works.`,
    too_many_attempts: ({ seconds }) =>
      `Too many failed attempts. Please try again in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`,
    too_many_inquiries: ({ email }) =>
      `So many messages have arrived within the hour that this one was not taken. Please send it to ${email} instead.`,
    disk_read_only: ({ folder }) =>
      `The site cannot write to the folder ${folder} on the server. Nothing was changed. Make that folder writable and try again.`,
    disk_full: ({ neededMegabytes, freeMegabytes }) =>
      `There is not enough room on the disk of the server: ${number(neededMegabytes)} MB are needed and ${number(freeMegabytes)} MB are free. Nothing was changed. Free some room and try again.`,
  },
}
