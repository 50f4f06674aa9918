import type { ActivityDetails, ActivityGroup, ActivityKind } from '#contract/activity.ts'

/** `who` is the account by the name it had then; undefined at the console, and where no account has the name that was typed. */
export type Noted = ActivityDetails & { who: string | undefined }

const times = (count = 1) => (count === 1 ? 'One failed sign-in' : `${count.toLocaleString('en')} failed sign-ins`)
const many = (count = 1, one: string, others: string) => (count === 1 ? one : `${count.toLocaleString('en')} ${others}`)
const by = ({ who = 'The console' }: Noted) => who
const project = ({ name }: Noted) => (name ? `“${name}”` : 'a project without a title')
const file = ({ name = '' }: Noted) => name

export const activity = {
  title: 'Activity',
  text: (days: number) => `Who did what, newest first. Entries are kept for ${days} days and cannot be changed.`,
  loading: 'Loading the activity…',
  failed: 'The activity could not be read',
  empty: 'Nothing has been noted yet.',
  noMatch: 'Nothing of this kind has been noted.',
  more: 'Show older',
  person: 'Person',
  everyone: 'Everyone',
  others: { deleted: 'Deleted accounts', none: 'Console and strangers' },
  group: 'Kind',
  everything: 'Everything',
  groups: {
    access: 'Sign-ins',
    projects: 'Projects',
    site: 'Texts of the site',
    messages: 'Messages',
    backups: 'Backups',
    accounts: 'Accounts',
    settings: 'Settings',
  } satisfies Record<ActivityGroup, string>,
  /** Something that another release has noted. */
  unknown: (noted: Noted) => `${by(noted)} did something that this release does not know`,
  kinds: {
    signed_in: (noted) => `${by(noted)} signed in`,
    sign_in_failed: ({ who, count }) => (who ? `${times(count)} as ${who}` : `${times(count)} with an unknown name`),
    signed_out: (noted) => `${by(noted)} signed out`,
    session_ended: (noted) => `${by(noted)} signed out another device`,
    other_sessions_ended: (noted) => `${by(noted)} signed out ${many(noted.count, 'one other device', 'other devices')}`,
    project_created: (noted) => `${by(noted)} added ${project(noted)}`,
    project_changed: (noted) => `${by(noted)} changed ${project(noted)}`,
    project_deleted: (noted) => `${by(noted)} put ${project(noted)} in the trash`,
    project_restored: (noted) => `${by(noted)} restored ${project(noted)} from the trash`,
    project_removed: (noted) => `${by(noted)} deleted ${project(noted)} for good`,
    trash_emptied: (noted) => `${by(noted)} emptied the trash: ${many(noted.count, 'one project', 'projects')}`,
    demo_projects_deleted: (noted) => `${by(noted)} put ${many(noted.count, 'one demo project', 'demo projects')} in the trash`,
    demo_projects_restored: (noted) => `${by(noted)} restored ${many(noted.count, 'one demo project', 'demo projects')}`,
    texts_published: (noted) => `${by(noted)} published the site’s texts`,
    texts_brought_back: (noted) => `${by(noted)} restored earlier texts of the site`,
    site_opened: (noted) => `${by(noted)} opened the site to visitors`,
    site_closed: (noted) => `${by(noted)} closed the site to visitors`,
    message_replied: (noted) => `${by(noted)} replied to a message`,
    messages_deleted: (noted) => `${by(noted)} deleted ${many(noted.count, 'one message', 'messages')}`,
    messages_downloaded: (noted) => `${by(noted)} downloaded the messages as a table`,
    backup_made: (noted) => `${by(noted)} made the backup ${file(noted)}`,
    backup_downloaded: (noted) => `${by(noted)} downloaded the backup ${file(noted)}`,
    backup_deleted: (noted) => `${by(noted)} deleted the backup ${file(noted)}`,
    data_exported: (noted) => `${by(noted)} exported the data: ${file(noted)}`,
    data_imported: (noted) => `${by(noted)} imported ${file(noted)}`,
    data_restored: (noted) => `${by(noted)} restored the site from ${file(noted)}`,
    restore_undone: (noted) => `${by(noted)} undid the import or restore of ${file(noted)}`,
    account_created: (noted) => `${by(noted)} created the account ${file(noted)}`,
    account_deleted: (noted) => `${by(noted)} deleted the account ${file(noted)}`,
    account_renamed: (noted) => `${by(noted)} renamed the account ${file(noted)} to ${noted.newName}`,
    role_changed: (noted) => `${by(noted)} changed the role of ${file(noted)}`,
    password_changed: (noted) => `${by(noted)} changed the password`,
    password_link_sent: ({ who, name = who }) => `A link for a new password was sent to ${name}`,
    password_reset: ({ who, name }) =>
      who ? `${who} set a new password with a link from a mail` : `The console set a new password for ${name}`,
    address_confirmed: (noted) => `${by(noted)} confirmed an e-mail address`,
    address_removed: (noted) => `${by(noted)} removed an e-mail address`,
    passkey_added: (noted) => `${by(noted)} added the passkey “${file(noted)}”`,
    passkey_removed: (noted) => `${by(noted)} removed the passkey “${file(noted)}”`,
    mail_settings_changed: (noted) => `${by(noted)} changed the mail settings`,
    backup_settings_changed: (noted) => `${by(noted)} changed the backup settings`,
    address_changed: (noted) => `${by(noted)} changed the address of the site`,
    time_zone_changed: (noted) => `${by(noted)} changed the time zone`,
    statistics_on: (noted) => `${by(noted)} turned counting of visits on`,
    statistics_off: (noted) => `${by(noted)} turned counting of visits off and deleted the figures`,
  } satisfies Record<ActivityKind, (noted: Noted) => string> as Record<ActivityKind, (noted: Noted) => string>,
}

export type ActivityTexts = typeof activity
