import { z } from 'zod/mini'
import { endpoint, type ReplyOf } from './endpoint.ts'
import { pageLimit, placeInList } from './paging.ts'
import { moment } from './text.ts'

/**
 * What is noted of what people do, in the groups that the list can be filtered by. Not the order of projects nor drafts of texts,
 * which change with every move and every pause in typing, and not what the site does by itself.
 */
export const activityKinds = {
  access: ['signed_in', 'sign_in_failed', 'signed_out', 'session_ended', 'other_sessions_ended'],
  projects: [
    'project_created',
    'project_changed',
    'project_deleted',
    'project_restored',
    'project_removed',
    'trash_emptied',
    'demo_projects_deleted',
    'demo_projects_restored',
  ],
  site: ['texts_published', 'texts_brought_back', 'site_opened', 'site_closed'],
  messages: ['message_replied', 'messages_deleted', 'messages_downloaded'],
  backups: [
    'backup_made',
    'backup_downloaded',
    'backup_deleted',
    'data_exported',
    'data_imported',
    'data_restored',
    'restore_undone',
  ],
  accounts: [
    'account_created',
    'account_deleted',
    'account_renamed',
    'role_changed',
    'password_changed',
    'password_link_sent',
    'password_reset',
    'address_confirmed',
    'address_removed',
    'passkey_added',
    'passkey_removed',
  ],
  settings: [
    'mail_settings_changed',
    'backup_settings_changed',
    'address_changed',
    'time_zone_changed',
    'statistics_on',
    'statistics_off',
  ],
} as const satisfies Record<string, readonly string[]>

export type ActivityGroup = keyof typeof activityKinds
export type ActivityKind = (typeof activityKinds)[ActivityGroup][number]

export const activityGroups = Object.keys(activityKinds) as ActivityGroup[]

/** In words of the site, never of visitors: the title of a project, the name of an account or a file. */
const details = { name: z.optional(z.string()), newName: z.optional(z.string()), count: z.optional(z.int()) }
export type ActivityDetails = { [Name in keyof typeof details]?: z.infer<(typeof details)[Name]> }

/** Days on which the site ran. */
export const keptDays = 400

/** Accounts that are deleted by now, and what was done without one: at the console, or by strangers. */
export const otherPersons = ['deleted', 'none'] as const

export const listActivity = endpoint({
  method: 'GET',
  path: '/api/admin/activity',
  access: 'owner',
  summary: `Who did what, newest first, within the last ${keptDays} days.`,
  query: z.strictObject({
    limit: pageLimit,
    after: z.optional(placeInList),
    /** The id of an account, or all of the others. */
    person: z.optional(z.union([z.uuid().check(z.toLowerCase()), z.enum(otherPersons)])),
    group: z.optional(z.enum(activityGroups)),
  }),
  reply: z.strictObject({
    entries: z.array(
      z.strictObject({
        id: z.uuid(),
        at: moment,
        /** What the account was called then; null where no account did it. */
        account: z.nullable(z.string()),
        /** One of the kinds above, or one that another release has noted. */
        kind: z.string(),
        ...details,
      }),
    ),
    /** Where the next page begins; null at the end. */
    next: z.nullable(z.string()),
  }),
})
export type ActivityEntry = ReplyOf<typeof listActivity>['entries'][number]
