import { languageName } from '#contract/languages.ts'
import { type NamedProjects, type PhotoOwners, problems } from '#contract/problems.ts'
import { inWords } from '../in-words.ts'
import {
  type ArchiveReasons,
  type ExportReasons,
  type FieldLabels,
  faultAmong,
  labelOf,
  type ProblemTexts,
  reasonIn,
} from '../problem-sentence.ts'
import { faultSentence, type ValueFaults, withLabel } from '../value-faults.ts'

/** `“Galleon”, “Tender” and 4 others`; empty when nothing is named. */
export function titles({ projects, others, site }: NamedProjects) {
  return inWords(
    [
      ...projects.map((title) => `“${title}”`),
      others > 0 && (others === 1 ? 'one other' : `${others.toLocaleString('en')} others`),
      site && 'the site itself',
    ],
    'and',
  )
}

export const valueFaults: ValueFaults = {
  missing: () => 'this is missing, empty or not text.',
  too_short: ({ limit }) => `use at least ${limit.toLocaleString('en')} characters.`,
  too_long: ({ limit }) => `use at most ${limit.toLocaleString('en')} characters.`,
  too_many: ({ limit }) => `at most ${limit.toLocaleString('en')} are allowed.`,
  unseen_characters: () => 'this contains invisible characters.',
  not_a_choice: ({ names }) => `use one of these: ${names}.`,
  not_yes_or_no: () => 'this must be true or false.',
  not_a_number: () => 'this must be a whole number.',
  not_an_email: () => 'this is not an email address.',
  not_a_phone: () => 'this is not a phone number.',
  not_a_link: () => 'a link must begin with https://, mailto: or tel:.',
  not_a_photo: () => 'use a photo uploaded here or an https:// address.',
  not_uploaded: () => 'this photo is not stored here. Please upload it.',
  not_an_id: () => 'this is not an id.',
  not_a_moment: () => 'this is not a date like 2026-11-15T08:00:00Z.',
  not_a_day: () => 'this is not a day like 2027-03-01.',
  not_a_list: () => 'this is not a list.',
  not_a_record: () => 'this is not a record.',
  unknown_fields: ({ names }) => `unknown fields: ${names}.`,
  wrong: () => 'this is not valid.',
}

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
    deletedAt: 'deletion date',
    addresses: 'addresses',
    name: 'name',
    email: 'email address',
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
  if ('sentBy' in owners) return `A photo sent with the message from “${owners.sentBy}”`
  const whose = titles(owners)
  return whose ? `A photo of ${whose}` : `A photo that no project uses (${photo.slice(0, 8)}…)`
}

const exportReasons: ExportReasons = {
  empty: () => 'It has no projects and no messages.',
  foreign: () => 'It is not an export of this site.',
  not_json: () => 'It cannot be read as JSON.',
  not_an_object: () => 'It is not a JSON object.',
  cut_off: () => 'It is cut off.',
  too_deep: () => 'It is nested too deeply.',
  part_too_long: () => 'A part of it is too long.',
  changed: () => 'It was damaged or changed after it was made. If you changed it yourself, remove the line with sha256.',
  wrong_counts: () => 'It does not contain as many records as it says.',
  incomplete: () => 'It did not arrive completely. Please try again.',
  unknown_key: ({ key }) => `It has an unknown part: ${key}.`,
  key_twice: ({ key }) => `It has ${key} twice.`,
  not_a_list: ({ key }) => `Its “${key}” part is not a list.`,
  too_many: ({ list, most }) => `It has more than ${number(most)} ${many(list)}.`,
  too_many_without_ids: ({ list, most }) => `It has more than ${number(most)} ${many(list)} without an id.`,
  same_id: ({ list, id }) => `Two ${many(list)} have the same id ${id}.`,
  site: (fault) => withLabel(`Site texts${fault.field && `, ${fault.field}`}`, faultSentence(valueFaults, fault)),
  head: (fault) => `Its header (${fault.field}): ${faultSentence(valueFaults, fault)}`,
  record: ({ list, number: place, title, ...fault }) => {
    const record = `${one(list)} ${number(place)}${title ? ` (“${title}”)` : ''}`
    return withLabel(fault.field ? `${record}, ${labelOf(labels, fault.field)}` : record, faultSentence(valueFaults, fault))
  },
}

const archiveReasons: ArchiveReasons = {
  not_a_zip: () => 'It is not a ZIP file, or it is incomplete.',
  incomplete: () => 'It did not arrive completely. Please try again.',
  damaged: () => 'It is damaged.',
  encrypted: () => 'It is encrypted.',
  foreign_manifest: () => 'Its list of contents is not from a site like this one.',
  manifest_repeats: () => 'Its list of contents names a file twice.',
  contents_missing: () => 'Its list of contents or its records are missing.',
  records_missing: () => 'Its records are missing.',
  records_damaged: () => 'Its records are damaged.',
  files_missing: () => 'Some of its files are missing.',
  too_many_files: () => 'It contains more files than a backup can.',
  wrong_counts: () => 'It does not contain as many records as it says.',
  wrong_photo_count: () => 'It does not contain as many photos as it says.',
  foreign_file: ({ entry }) => `It contains a file that does not belong there: “${entry}”.`,
  link: ({ entry }) => `“${entry}” is a link, not a file.`,
  packed: ({ entry }) => `“${entry}” is packed in a way this site does not support.`,
  false_size: ({ entry }) => `“${entry}” is not as large as the file says.`,
  too_large: ({ entry }) => `“${entry}” is larger than anything in a backup.`,
  same_name: ({ entry }) => `It contains two files with the same name: “${entry}”.`,
  overlap: ({ entry }) => `“${entry}” overlaps another part of the file.`,
  unlisted: ({ entry }) => `It contains a file that is not in its list of contents: “${entry}”.`,
  not_as_listed: ({ entry }) => `“${entry}” is not as large as the list of contents says.`,
  misnamed: ({ entry }) => `“${entry}” has the wrong name.`,
  two_names: ({ entry }) => `“${entry}” has two names.`,
  entry_damaged: ({ entry }) => `“${entry}” is damaged.`,
  photo_damaged: (details) => `${photoOf(details)} is damaged.`,
  photo_refused: ({ because, ...details }) => {
    const why = {
      not_an_image: 'is not a photo this site can store',
      image_too_many_pixels: 'has more than 50 megapixels',
      image_needs_memory: 'needs too much memory to open',
      image_broken: 'is damaged',
    }
    return `${photoOf(details)} ${why[because]}.`
  },
  records_refused: ({ because }) => `Its records cannot be read. ${reasonIn(exportReasons, because)}`,
}

const plain = Object.fromEntries(Object.entries(problems).map(([code, [, sentence]]) => [code, sentence]))

/** The server speaks English; the panel shows its sentences as they are, and says the same in other languages. */
export const problemTexts: ProblemTexts = {
  plain: plain as ProblemTexts['plain'],
  detailed: {
    invalid_input: (details, fields) => {
      if (details.reason === 'not_json') return 'That could not be read as JSON. Nothing was changed.'
      const fault = faultAmong(details.faults, fields)
      return withLabel(labelOf(labels, fault.field), faultSentence(valueFaults, fault))
    },
    unsupported_media_type: () => 'This address accepts only a form with a file.',
    export_refused: (details) => `That cannot be used as an export. ${reasonIn(exportReasons, details)} Nothing was changed.`,
    archive_refused: (details) => {
      const cure = details.reason === 'incomplete' ? '' : ' Choose another file.'
      return `That file cannot be used as a complete backup. ${reasonIn(archiveReasons, details)} Nothing was changed.${cure}`
    },
    backup_too_new: ({ version, newest }) =>
      `That backup was made by a newer version of this site: its format is ${version}, and this site reads only up to ${newest}. Nothing was changed. Update the site first, then restore it.`,
    stored_image_damaged: (owners) =>
      'sentBy' in owners
        ? `A photo sent with the message from “${owners.sentBy}” is damaged, so no complete backup can be made. Nothing was changed. Restore a complete backup that has it, or delete that message. Export Data still works.`
        : `A stored photo of ${titles(owners)} is damaged, so no complete backup can be made. Nothing was changed. Upload that photo again. Export Data still works.`,
    too_many_attempts: ({ seconds }) =>
      `Too many failed attempts. Please try again in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`,
    too_many_inquiries: ({ email }) =>
      `Too many messages arrived within the hour, so this one was not accepted. Please send it to ${email} instead.`,
    disk_read_only: ({ folder }) =>
      `The site cannot write to the folder ${folder} on the server. Nothing was changed. Make that folder writable and try again.`,
    disk_full: ({ neededMegabytes, freeMegabytes }) =>
      `The server does not have enough disk space: ${number(neededMegabytes)} MB are needed and ${number(freeMegabytes)} MB are free. Nothing was changed. Free up some space and try again.`,
  },
}
