import { z } from 'zod/mini'
import { namedProjects, sender } from './named-projects.ts'

/**
 * Every way a call can fail: its status and its sentence. From `details`, where there are any, the panel makes a more exact
 * sentence in its language. Programs look at code and details only.
 */
export const problems = {
  invalid_input: [400, 'Something in what was sent is not right. Please check it and try again.'],
  not_http: [400, 'That could not be read as a request.'],
  upload_interrupted: [400, 'The photo did not arrive whole. Nothing was kept; please try again.'],
  sign_in_required: [401, 'Please sign in.'],
  wrong_credentials: [401, 'Invalid credentials. Please try again.'],
  wrong_password: [400, 'The current password is not right. Nothing was changed.'],
  demo_only_here: [
    403,
    'This is a demo, which can be managed only on the machine it runs on, at http://localhost. Start it with ADMIN_USERNAME and ADMIN_PASSWORD to make it yours.',
  ],
  password_needed: [403, 'Please give your password once more.'],
  password_not_right: [400, 'That password is not right. Nothing was done.'],
  foreign_origin: [403, 'This request came from another website and was refused.'],
  not_found: [404, 'There is nothing at this address.'],
  project_not_found: [404, 'That project does not exist any more.'],
  message_not_found: [404, 'That message does not exist any more.'],
  mail_not_found: [404, 'That mail is not in the outbox any more: it was sent, or given up.'],
  site_version_not_found: [404, 'That version is not kept any more.'],
  admin_not_found: [404, 'That account does not exist any more.'],
  upload_not_found: [404, 'That upload is not known here, or somebody else began it. Please choose the photo again.'],
  backup_not_found: [404, 'That backup is not on the server any more. Refresh the list and choose another one.'],
  backup_upload_not_found: [404, 'That file is not on the server any more. Please choose it again.'],
  merge_not_found: [404, 'Something else was restored or imported since. Refresh the page.'],
  method_not_allowed: [405, 'This address does not answer that kind of request.'],
  request_timeout: [408, 'That took too long to arrive. Please try again.'],
  username_taken: [409, 'That username is already taken.'],
  last_admin: [409, 'This is the last account. Create another one before deleting it.'],
  backup_in_progress: [
    409,
    'Another backup or restore is under way. Nothing was changed. Wait until it has finished and try again.',
  ],
  last_backup: [
    409,
    'This is the last complete backup to fall back on. It was not deleted: create another one first, or say that you want to delete this one too.',
  ],
  upload_incomplete: [409, 'Parts of that file have not arrived yet. Choose it again: sending it goes on where it ended.'],
  undo_impossible: [
    409,
    'This cannot be undone any more: the backup of how it was before is gone, or it was undone already. Nothing was changed.',
  ],
  secret_missing: [
    409,
    'That file is encrypted, and this site has no secret to open it. Nothing was changed. Set BACKUP_PASSPHRASE or BACKUP_KEY to the one it was made with, or open it with the program age first.',
  ],
  secret_wrong: [
    409,
    'That file is encrypted with another secret than this site has. Nothing was changed. Set BACKUP_PASSPHRASE or BACKUP_KEY to the one it was made with, or open it with the program age first.',
  ],
  backup_too_large: [
    409,
    'There are more messages, projects or photos than one complete backup holds, so it was not made. Nothing was changed. Delete messages you do not need; meanwhile Export Data still works.',
  ],
  project_changed: [
    409,
    'Somebody else has changed this project since you opened it, so it was not saved. What you typed is still in the form: copy what you need, close the form and open the project again.',
  ],
  note_changed: [
    409,
    'Somebody else has changed this note since you opened it, so it was not saved. What you typed is still here: copy what you need and open the message again.',
  ],
  site_changed: [
    409,
    'Somebody else has changed the texts of the site since you opened them, so nothing was overwritten. What you typed is still here.',
  ],
  nothing_to_publish: [409, 'There is nothing new to publish.'],
  mail_not_set_up: [409, 'Mail is not set up on this site, so nothing was sent. README.md says how to switch it on.'],
  too_many_replies: [
    409,
    'This message has a hundred replies already, and no more are kept with one. Nothing was sent. Copy what you wrote into a mail of your own.',
  ],
  upload_used: [409, 'That upload has been used already. Please choose the photo again.'],
  upload_not_received: [409, 'The photo has not arrived yet. Please upload it first.'],
  upload_expired: [410, 'That upload was not finished within ten minutes. Please choose the photo again.'],
  image_too_large: [413, 'That photo is larger than 10 MB. Export a smaller copy and try again.'],
  image_too_many_pixels: [413, 'That photo has more than 50 megapixels. Export a smaller copy and try again.'],
  image_too_long: [413, 'That photo is longer than 16,383 pixels on one side. Export a smaller copy and try again.'],
  image_too_slow: [413, 'That photo takes too long to open here. Export a smaller copy, or an ordinary JPEG, and try again.'],
  image_needs_memory: [
    413,
    'That photo needs too much memory to be opened here. Export a smaller copy, or an ordinary JPEG, and try again.',
  ],
  import_too_large: [
    413,
    'That export is larger than 64 MB, which is more than the page takes. Nothing was changed. Restore it at the console: npm run restore -- <file>',
  ],
  body_too_large: [413, 'That is more than can be sent at once.'],
  zip_expected: [400, 'Please select a ZIP file'],
  unsupported_media_type: [415, 'This address takes JSON only.'],
  not_an_image: [415, 'That file is not a photo we can read. Choose a JPEG, PNG, WebP, AVIF or GIF file.'],
  heic_not_supported: [415, 'HEIC photos cannot be read here. Export the photo as JPEG and choose that file.'],
  image_broken: [422, 'That photo is damaged and could not be read. Choose another file.'],
  export_refused: [422, 'That is not an export of this site. Nothing was changed. Paste or choose another one.'],
  archive_refused: [422, 'That file is not a complete backup of this site. Nothing was changed. Choose another file.'],
  sealed_file_damaged: [
    422,
    'That encrypted file is damaged, or did not arrive whole. Nothing was changed. Choose another copy of it.',
  ],
  sealed_too_costly: [
    422,
    'That file is encrypted so that opening it needs more memory than this site may use. Nothing was changed. Open it with the program age, and choose what comes out of it.',
  ],
  backup_too_new: [
    422,
    'That backup was made by a newer version of this site. Nothing was changed. Update the site first, then restore it.',
  ],
  too_many_requests: [429, 'That was a little too often. Please wait a moment and try again.'],
  too_many_inquiries: [429, 'So many messages have arrived within the hour that this one was not taken.'],
  too_many_photos: [429, 'No more photos can be taken at the moment. The message itself can be sent without them.'],
  too_many_attempts: [429, 'Too many failed attempts. Please wait a moment and try again.'],
  headers_too_large: [431, 'The address or the headers of that request are too long.'],
  unexpected: [500, 'Something went wrong on our side. Nothing was changed.'],
  stored_image_damaged: [
    500,
    'A stored photo is damaged, so a whole backup cannot be made. Nothing was changed. Upload that photo again; meanwhile Export Data still works.',
  ],
  database_backup_failed: [500, 'The database backup did not come out whole and was not kept. Use Export Data meanwhile.'],
  pg_dump_missing: [
    503,
    'The program pg_dump was not found on the server, so the database was not backed up. Install postgresql-client, or use Export Data, which needs no other program.',
  ],
  pg_dump_older: [
    503,
    'The pg_dump on the server is older than its PostgreSQL, so the database was not backed up. Install the matching postgresql-client, or use Export Data, which works with any version.',
  ],
  pg_dump_slow: [
    503,
    'pg_dump did not finish in time and was stopped; nothing was kept. Try again when the site is quiet, or use Export Data.',
  ],
  unavailable: [503, 'The site cannot answer right now. Please try again in a moment.'],
  storage_unavailable: [
    503,
    'The place where photos and backups are kept does not answer right now. Nothing was changed; please try again in a moment.',
  ],
  elsewhere_unavailable: [
    503,
    'The second place for backups does not answer, or cannot be written to. The backup on the server is whole; its copy is tried again.',
  ],
  elsewhere_empty: [
    503,
    'The second place for backups has no folder “backups”, though copies were brought there before. If it is a share, mount it; for a new place, make that folder there by hand.',
  ],
  backup_damaged: [
    500,
    'A backup on the server is no longer as it was made, so it was not copied to the second place. Make another one.',
  ],
  copy_damaged: [
    500,
    'The copy of a backup in the second place came back other than it was sent, and was not kept. It is tried again.',
  ],
  trial_differs: [500, 'A backup was tried out and did not come back as it was made. Make another one.'],
  database_replaced: [
    503,
    'The database file was removed or replaced while the site was running. Nothing was written. Restart the site.',
  ],
  database_damaged: [503, 'The database is damaged. Nothing was changed. Restart the site: it says what to do.'],
  disk_read_only: [
    507,
    'The disk of the server cannot be written to right now. Nothing was changed; the site goes on showing what is there.',
  ],
  disk_full: [507, 'There is not enough room on the disk of the server. Nothing was changed. Free some room and try again.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ProblemCode = keyof typeof problems

/** What can be wrong with a value. */
export const valueFaults = [
  'missing',
  'too_short',
  'too_long',
  'too_many',
  'unseen_characters',
  'not_a_choice',
  'not_yes_or_no',
  'not_a_number',
  'not_an_email',
  'not_a_phone',
  'not_a_link',
  'not_a_photo',
  'not_uploaded',
  'not_an_id',
  'not_a_moment',
  'not_a_day',
  'not_a_list',
  'not_a_record',
  'unknown_fields',
  'wrong',
] as const

const valueFault = {
  /** Its path in what was sent or in the record; empty when it is the whole. */
  field: z.string(),
  fault: z.enum(valueFaults),
  /** Of what is too short, too long or too many. */
  limit: z.optional(z.int()),
  /** The unknown fields, or the choices there are. */
  names: z.optional(z.array(z.string())),
}

const invalidInput = z.union([
  z.strictObject({ reason: z.literal('not_json') }),
  z.strictObject({ reason: z.literal('fields'), faults: z.array(z.strictObject(valueFault)) }),
])

const exportRefusal = z.union([
  z.strictObject({
    reason: z.enum([
      'empty',
      'foreign',
      'not_json',
      'not_an_object',
      'cut_off',
      'too_deep',
      'part_too_long',
      'changed',
      'wrong_counts',
      'incomplete',
    ]),
  }),
  z.strictObject({ reason: z.enum(['unknown_key', 'key_twice', 'not_a_list']), key: z.string() }),
  z.strictObject({ reason: z.enum(['too_many', 'too_many_without_ids']), list: z.string(), most: z.int() }),
  z.strictObject({ reason: z.literal('same_id'), list: z.string(), id: z.string() }),
  z.strictObject({ reason: z.literal('head'), ...valueFault }),
  z.strictObject({ reason: z.literal('site'), ...valueFault }),
  z.strictObject({
    reason: z.literal('record'),
    list: z.string(),
    /** Its place in the list, from 1. */
    number: z.int(),
    /** What the record calls itself, when it does. */
    title: z.optional(z.string()),
    ...valueFault,
  }),
])

const photoRefused = {
  reason: z.literal('photo_refused'),
  photo: z.string(),
  because: z.enum(['not_an_image', 'image_too_many_pixels', 'image_needs_memory', 'image_broken']),
}

const archiveRefusal = z.union([
  z.strictObject({
    reason: z.enum([
      'not_a_zip',
      'incomplete',
      'damaged',
      'encrypted',
      'foreign_manifest',
      'manifest_repeats',
      'contents_missing',
      'records_missing',
      'records_damaged',
      'files_missing',
      'too_many_files',
      'wrong_counts',
      'wrong_photo_count',
    ]),
  }),
  z.strictObject({
    reason: z.enum([
      'foreign_file',
      'link',
      'packed',
      'false_size',
      'too_large',
      'same_name',
      'overlap',
      'unlisted',
      'not_as_listed',
      'misnamed',
      'two_names',
      'entry_damaged',
    ]),
    entry: z.string(),
  }),
  z.strictObject({ reason: z.literal('photo_damaged'), photo: z.string(), ...namedProjects }),
  z.strictObject({ reason: z.literal('photo_damaged'), photo: z.string(), ...sender }),
  z.strictObject({ ...photoRefused, ...namedProjects }),
  z.strictObject({ ...photoRefused, ...sender }),
  z.strictObject({ reason: z.literal('records_refused'), because: exportRefusal }),
])

/** The details of a problem, by its code; the others have none. */
export const problemDetails = {
  invalid_input: invalidInput,
  unsupported_media_type: z.strictObject({ reason: z.literal('form_expected') }),
  export_refused: exportRefusal,
  archive_refused: archiveRefusal,
  backup_too_new: z.strictObject({ version: z.int(), newest: z.int() }),
  stored_image_damaged: z.union([z.strictObject(namedProjects), z.strictObject(sender)]),
  too_many_attempts: z.strictObject({ seconds: z.int() }),
  too_many_inquiries: z.strictObject({ email: z.string() }),
  disk_read_only: z.strictObject({ folder: z.string() }),
  disk_full: z.strictObject({ neededMegabytes: z.int(), freeMegabytes: z.int() }),
} as const satisfies Partial<Record<ProblemCode, z.ZodMiniType>>

export type ProblemDetails = { [Code in keyof typeof problemDetails]: z.infer<(typeof problemDetails)[Code]> }
export type DetailsOf<Code extends ProblemCode> = Code extends keyof ProblemDetails ? ProblemDetails[Code] : never
export type ValueFault = Extract<ProblemDetails['invalid_input'], { reason: 'fields' }>['faults'][number]
export type ExportRefusal = ProblemDetails['export_refused']
export type ArchiveRefusal = ProblemDetails['archive_refused']

export const problemReply = z.strictObject({
  /** In English; the panel says the same in the maker's language, by code and details. */
  message: z.string(),
  code: z.string(),
  details: z.optional(z.union(Object.values(problemDetails))),
  /** The faulty fields by their paths and their sentences, when the input was at fault. */
  fields: z.optional(z.record(z.string(), z.string())),
})
export type ProblemReply = z.infer<typeof problemReply>
