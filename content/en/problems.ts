import { languageName } from '#contract/languages.ts'
import { type ProblemDetails, problems } from '#contract/problems.ts'
import { type FieldLabels, faultAmong, labelOf, type ProblemTexts } from '../problem-sentence.ts'
import { faultSentence, type ValueFaults, withLabel } from '../value-faults.ts'

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
  not_a_server: () => 'this is not the name of a server.',
  not_a_site_address: () => 'use an address like https://example.com, with nothing after it.',
  not_a_time_zone: () => 'there is no such time zone.',
  not_a_folder: () => 'use a full path, like /mnt/backups.',
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
    host: 'server',
    port: 'port',
    secure: 'encryption',
    user: 'username',
    from: 'sender',
    to: 'recipients',
    url: 'address',
    timeZone: 'time zone',
    kind: 'kind',
    folder: 'folder',
    endpoint: 'address of the service',
    region: 'region',
    bucket: 'bucket',
    prefix: 'folder in the bucket',
    pathStyle: 'kind of address',
    accessKeyId: 'access key',
    secretAccessKey: 'secret key',
    passphrase: 'passphrase',
  },
  translated: (label, language) => `${label} in ${languageName(language, 'en')}`,
}

const mailCures = {
  host: 'There is no mail server of that name. Check its spelling.',
  connection: 'The mail server could not be reached. Check server, port and encryption.',
  certificate: 'The mail server did not prove who it is: its certificate is not valid for that name. Check the name.',
  password: 'The mail server did not accept the username and password. Many providers ask for an app password.',
  sender: 'The mail server does not let you send from that address. Check the sender.',
  recipient: 'The mail server did not accept a recipient. Check the addresses.',
  message: 'The mail server did not take the test email.',
}

const offsiteCures = {
  missing: 'There is no such folder or bucket. Create it first, or mount the share.',
  read_only: 'The site may not write there.',
  keys: 'The access key or its secret is wrong.',
  full: 'There is no room left.',
  unreachable: 'It does not answer, or not as expected.',
}

const number = (value: number) => value.toLocaleString('en')

const lists: Record<string, string> = { projects: 'Project', contacts: 'Message' }

function recordFault(details: ProblemDetails['record_refused']) {
  if (details.reason === 'photo') return `The photo ${details.photo.slice(0, 8)}… in it is not as this site stores photos.`
  // That of a newer release.
  if (details.reason !== 'record' && details.reason !== 'site') return ''
  const sentence = faultSentence(valueFaults, details)
  if (details.reason === 'site') return withLabel(`Site texts${details.field && `, ${details.field}`}`, sentence)
  const { list, number: place, title, field } = details
  const record = `${lists[list] ?? list} ${number(place)}${title ? ` (“${title}”)` : ''}`
  return withLabel(field ? `${record}, ${labelOf(labels, field)}` : record, sentence)
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
    record_refused: (details) => `That file cannot be restored or imported. ${recordFault(details)} Nothing was changed.`,
    backup_too_new: ({ version, newest }) =>
      `That backup was made by a newer version of this site: its format is ${version}, and this site reads only up to ${newest}. Nothing was changed. Update the site first, then restore it.`,
    mail_refused: ({ step, said }) => `${mailCures[step]} The answer was: ${said}`,
    offsite_refused: ({ why, said }) => `${offsiteCures[why]} Nothing was changed. The answer was: ${said}`,
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
