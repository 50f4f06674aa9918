import { z } from 'zod/mini'

/**
 * Every way a call can fail: its status and its sentence. From `details`, where there are any, the panel makes a more exact
 * sentence in its language. Programs look at code and details only.
 */
export const problems = {
  invalid_input: [400, 'Something you sent is not valid. Please check it and try again.'],
  not_http: [400, 'That is not a valid HTTP request.'],
  upload_interrupted: [400, 'The photo did not arrive completely. Nothing was kept. Please try again.'],
  sign_in_required: [401, 'Please sign in.'],
  wrong_credentials: [401, 'Invalid credentials. Please try again.'],
  wrong_password: [400, 'The current password is wrong. Nothing was changed.'],
  demo_only_here: [
    403,
    'This is a demo. It can be managed only on the machine it runs on, at http://localhost. To make it yours, start it with ADMIN_USERNAME and ADMIN_PASSWORD.',
  ],
  owner_needed: [403, 'Only owners of the site may do that. Nothing was changed.'],
  password_needed: [403, 'Please enter your password again.'],
  password_not_right: [400, 'That password is wrong. Nothing was done.'],
  passkey_refused: [401, 'That passkey was not accepted. Nothing was changed. Try again, or use your password.'],
  passkeys_unavailable: [
    409,
    'Passkeys work only at the site’s own https address, which the settings must name, or at http://localhost. Use your password here.',
  ],
  passkey_not_found: [404, 'That passkey was removed already.'],
  too_many_passkeys: [409, 'You have 20 passkeys, the most an account can have. Remove one first.'],
  foreign_origin: [403, 'This request came from another website and was refused.'],
  not_found: [404, 'There is nothing at this address.'],
  project_not_found: [404, 'That project no longer exists.'],
  message_not_found: [404, 'That message no longer exists.'],
  mail_not_found: [404, 'That email is no longer in the outbox: it was sent or discarded.'],
  site_version_not_found: [404, 'That version is no longer kept.'],
  admin_not_found: [404, 'That account no longer exists.'],
  session_not_found: [404, 'It is signed out there already.'],
  upload_not_found: [404, 'That upload is unknown, or someone else started it. Please choose the photo again.'],
  backup_not_found: [404, 'That backup is no longer on the server. Refresh the list and choose another one.'],
  backup_upload_not_found: [404, 'That file is no longer on the server. Please choose it again.'],
  merge_not_found: [404, 'Something else has been restored or imported since. Refresh the page.'],
  method_not_allowed: [405, 'This address does not accept that kind of request.'],
  request_timeout: [408, 'The request took too long to arrive. Please try again.'],
  username_taken: [409, 'That username is already taken.'],
  last_owner: [409, 'This is the last owner. Make another account an owner first.'],
  backup_in_progress: [
    409,
    'Another backup or restore is running. Nothing was changed. Wait until it is done, then try again.',
  ],
  backup_job_ended: [
    503,
    'The backup program ended before it was done: it needed too much memory, or was stopped. A restore is made wholly or not at all: refresh the page, then try again.',
  ],
  backup_stalled: [
    503,
    'The backup program was stopped because nothing moved any more. See that the disk, the bucket or the share answers, then try again.',
  ],
  last_backup: [
    409,
    'This is your last complete backup, so it was not deleted. Create another one first, or confirm that you want to delete it.',
  ],
  undo_impossible: [409, 'There is nothing left to undo: it was already undone, or it changed nothing.'],
  secret_wrong: [
    409,
    'That file is encrypted, and this site does not have the secret it was made with. Nothing was changed. Set that secret under Settings or as BACKUP_PASSPHRASE or BACKUP_KEY, or decrypt the file with the age program first.',
  ],
  backup_too_large: [
    409,
    'There are more messages, projects or photos than a complete backup can hold, so none was made. Nothing was changed. Delete messages you do not need. Export Data still works.',
  ],
  project_changed: [
    409,
    'Someone else changed this project after you opened it, so it was not saved. What you typed is still in the form: copy what you need, close the form and open the project again.',
  ],
  note_changed: [
    409,
    'Someone else changed this note after you opened it, so it was not saved. What you typed is still here: copy what you need and open the message again.',
  ],
  site_changed: [
    409,
    'Someone else changed the site texts after you opened them, so nothing was overwritten. What you typed is still here.',
  ],
  nothing_to_publish: [409, 'There is nothing new to publish.'],
  mail_not_set_up: [409, 'Email is not set up on this site, so nothing was sent. An owner can do that under Settings.'],
  passphrase_lost: [
    409,
    'Backups are to be encrypted, and the passphrase cannot be read any more. Nothing was downloaded. Type it again under Settings, or turn it off.',
  ],
  set_by_environment: [
    409,
    'This is set on the server, by its environment, and can be changed only there. Nothing was changed.',
  ],
  address_not_open_here: [
    409,
    'An https address can be set only where it works: open the panel at that address, and set it there. Otherwise signing in could stop working. Nothing was changed.',
  ],
  too_many_replies: [
    409,
    'This message already has a hundred replies, the most it can have. Nothing was sent. Copy what you wrote into an email of your own.',
  ],
  upload_used: [409, 'That upload was already used. Please choose the photo again.'],
  upload_not_received: [409, 'The photo has not arrived yet. Please upload it first.'],
  link_not_valid: [410, 'This link has expired or was already used. Please request a new one.'],
  upload_expired: [410, 'That upload was not finished within ten minutes. Please choose the photo again.'],
  image_too_large: [413, 'That photo is larger than 10 MB. Export a smaller copy and try again.'],
  image_too_many_pixels: [413, 'That photo has more than 50 megapixels. Export a smaller copy and try again.'],
  image_too_long: [413, 'That photo is longer than 16,383 pixels on one side. Export a smaller copy and try again.'],
  image_too_slow: [413, 'That photo takes too long to open. Export a smaller copy or an ordinary JPEG and try again.'],
  image_needs_memory: [
    413,
    'That photo needs too much memory to open. Export a smaller copy or an ordinary JPEG and try again.',
  ],
  import_too_large: [
    413,
    'That export is larger than 64 MB, the most this page accepts. Nothing was changed. Restore it from the console: npm run restore -- <file>',
  ],
  body_too_large: [413, 'That is too much to send at once.'],
  zip_expected: [400, 'Please select a ZIP file'],
  unsupported_media_type: [415, 'This address accepts only JSON.'],
  not_an_image: [415, 'That file is not a photo this site can read. Choose a JPEG, PNG, WebP, AVIF or GIF file.'],
  heic_not_supported: [415, 'This site cannot read HEIC photos. Export the photo as JPEG and choose that file.'],
  image_broken: [422, 'That photo is damaged and could not be read. Choose another file.'],
  mail_refused: [422, 'The mail server did not take the test email.'],
  offsite_refused: [422, 'Copies of backups cannot be kept there. Nothing was changed.'],
  offsite_is_own: [
    422,
    'That is where the site itself keeps its data: the copies would be lost together with it. Nothing was changed. Choose another place.',
  ],
  not_a_backup: [422, 'That is not a backup of this site. Nothing was changed. Choose another file.'],
  file_damaged: [
    422,
    'That file is damaged or incomplete, or was changed after it was made. Nothing was changed. Choose another copy of it.',
  ],
  file_too_large: [
    422,
    'That file is larger, or needs more memory, than this site can restore. Nothing was changed. Choose another file.',
  ],
  record_refused: [422, 'That file contains something this site does not accept. Nothing was changed. Choose another file.'],
  backup_too_new: [
    422,
    'That backup was made by a newer version of this site. Nothing was changed. Update the site first, then restore it.',
  ],
  too_many_requests: [429, 'Too many attempts. Please wait a moment and try again.'],
  too_many_inquiries: [429, 'Too many messages arrived within the hour, so this one was not accepted.'],
  too_many_photos: [429, 'No more photos can be uploaded right now. The message can be sent without them.'],
  too_many_attempts: [429, 'Too many failed attempts. Please wait a moment and try again.'],
  headers_too_large: [431, 'The address or headers of that request are too long.'],
  unexpected: [500, 'Something went wrong on our side. Nothing was changed.'],
  database_backup_failed: [500, 'The database backup was incomplete and was not kept. Use Export Data in the meantime.'],
  pg_dump_missing: [
    503,
    'pg_dump is not installed on the server, so the database was not backed up. Install postgresql-client, or use Export Data, which needs no other program.',
  ],
  pg_dump_older: [
    503,
    'The pg_dump on the server is older than its PostgreSQL, so the database was not backed up. Install the matching postgresql-client, or use Export Data, which works with any version.',
  ],
  pg_dump_slow: [
    503,
    'pg_dump did not finish in time and was stopped. Nothing was kept. Try again when the site is quiet, or use Export Data.',
  ],
  unavailable: [503, 'The site cannot answer right now. Please try again in a moment.'],
  storage_unavailable: [
    503,
    'The storage for photos and backups is not responding. Nothing was changed. Please try again in a moment.',
  ],
  elsewhere_unavailable: [
    503,
    'The off-site target is not responding or cannot be written to. The backup on the server is intact, and its copy will be retried.',
  ],
  elsewhere_empty: [
    503,
    'The off-site target has no folder “backups”, although it held copies before. If it is a share, mount it; if it is a new target, create that folder there yourself.',
  ],
  backup_damaged: [
    500,
    'A backup on the server has changed since it was made, so it was not copied off-site. Create another one.',
  ],
  copy_damaged: [500, 'The off-site copy of a backup differed from the original and was not kept. It will be retried.'],
  trial_differs: [500, 'A restore test did not bring back what was backed up. Create another backup.'],
  database_replaced: [
    503,
    'The database file was removed or replaced while the site was running. Nothing was written. Restart the site.',
  ],
  database_damaged: [503, 'The database is damaged. Nothing was changed. Restart the site: it will say what to do.'],
  disk_read_only: [
    507,
    'The server’s disk cannot be written to right now. Nothing was changed, and the site keeps showing what it has.',
  ],
  disk_full: [507, 'The server does not have enough disk space. Nothing was changed. Free up some space and try again.'],
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
  'not_a_server',
  'not_a_site_address',
  'not_a_time_zone',
  'not_a_folder',
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

/** For the log and the console; a person is told the sentence of the code only. */
const fileFault = z.strictObject({ cause: z.string(), entry: z.optional(z.string()) })

const recordRefusal = z.union([
  z.strictObject({
    reason: z.literal('record'),
    list: z.string(),
    /** Its place in the list, from 1. */
    number: z.int(),
    /** What the record calls itself, when it does. */
    title: z.optional(z.string()),
    ...valueFault,
  }),
  z.strictObject({ reason: z.literal('site'), ...valueFault }),
  z.strictObject({ reason: z.literal('photo'), photo: z.string() }),
])

/** The details of a problem, by its code; the others have none. */
export const problemDetails = {
  invalid_input: invalidInput,
  unsupported_media_type: z.strictObject({ reason: z.literal('form_expected') }),
  not_a_backup: fileFault,
  file_damaged: fileFault,
  file_too_large: fileFault,
  record_refused: recordRefusal,
  backup_too_new: z.strictObject({ version: z.int(), newest: z.int() }),
  mail_refused: z.strictObject({
    /** What to look at. */
    step: z.enum(['host', 'connection', 'certificate', 'password', 'sender', 'recipient', 'message']),
    /** By the mail server, or by what tried to reach it. */
    said: z.string(),
  }),
  offsite_refused: z.strictObject({
    why: z.enum(['missing', 'read_only', 'keys', 'full', 'unreachable']),
    said: z.string(),
  }),
  too_many_attempts: z.strictObject({ seconds: z.int() }),
  too_many_inquiries: z.strictObject({ email: z.string() }),
  disk_read_only: z.strictObject({ folder: z.string() }),
  disk_full: z.strictObject({ neededMegabytes: z.int(), freeMegabytes: z.int() }),
} as const satisfies Partial<Record<ProblemCode, z.ZodMiniType>>

export type ProblemDetails = { [Code in keyof typeof problemDetails]: z.infer<(typeof problemDetails)[Code]> }
export type DetailsOf<Code extends ProblemCode> = Code extends keyof ProblemDetails ? ProblemDetails[Code] : never
export type ValueFault = Extract<ProblemDetails['invalid_input'], { reason: 'fields' }>['faults'][number]
/** Codes whose details are no part of their sentence. */
export type FileFault = 'not_a_backup' | 'file_damaged' | 'file_too_large'

export const problemReply = z.strictObject({
  /** In English; the panel says the same in the maker's language, by code and details. */
  message: z.string(),
  code: z.string(),
  details: z.optional(z.union(Object.values(problemDetails))),
  /** The faulty fields by their paths and their sentences, when the input was at fault. */
  fields: z.optional(z.record(z.string(), z.string())),
})
export type ProblemReply = z.infer<typeof problemReply>
