import type { ContactState, SpamReason } from '#contract/contacts.admin.ts'
import type { MailKind } from '#contract/mails.ts'

/** A length of time in whole units. */
export type Span = { count: number; unit: 'minute' | 'hour' | 'day' }

const said = ({ count, unit }: Span) =>
  ({ minute: `${count} min`, hour: `${count} h`, day: count === 1 ? '1 day' : `${count.toLocaleString('en')} days` })[unit]

const number = (value: number) => value.toLocaleString('en')

/** What the panel says of messages beside the specification's own words, which are in admin.ts. */
export const contacts = {
  /** The first sentence of the dashboard. */
  toAnswer: (count: number, { isOverdue, span }: { isOverdue: boolean; span: Span }) => {
    const all = `${number(count)} to answer`
    if (count === 1) return isOverdue ? `${all}, overdue by ${said(span)}` : `${all} within ${said(span)}`
    return isOverdue ? `${all}; the first is overdue by ${said(span)}` : `${all}; the first within ${said(span)}`
  },
  answerBy: (when: string) => `Answer by ${when}`,
  nothingToAnswer: 'Nothing to answer',
  answerThem: 'Answer',
  loadFailed: 'Unanswered messages could not be loaded.',
  arrived: (waiting: number) => `A new message has arrived. ${number(waiting)} to answer.`,
  left: (span: Span) => `${said(span)} left`,
  overdue: (span: Span) => `Overdue by ${said(span)}`,

  states: { new: 'To answer', answered: 'Answered', quoted: 'Quoted', closed: 'Closed', spam: 'Spam' } satisfies Record<
    ContactState,
    string
  >,
  filter: 'Filter messages',
  filters: { all: 'All', new: 'To answer', answered: 'Answered', quoted: 'Quoted', closed: 'Closed', spam: 'Spam' },
  emptyIn: {
    new: 'Nothing to answer.',
    answered: 'No answered messages.',
    quoted: 'No quoted messages.',
    closed: 'No closed messages.',
    spam: 'No spam. Suspected spam is kept here for 60 days.',
  } satisfies Record<ContactState, string>,
  spamHint: 'Suspected spam is kept here for 60 days. No email is sent about it.',
  search: 'Search messages',
  noMatch: 'No message matches. Try another word, or search all messages.',
  download: 'Download CSV',
  downloadShort: 'CSV',
  pages: 'Message pages',
  previous: 'Previous',
  next: 'Next',
  range: (first: number, last: number, all: number | undefined) =>
    `Messages ${number(first)} to ${number(last)}${all === undefined ? '' : ` of ${number(all)}`}`,
  selectMatching: 'Select all matching messages',
  allMatching: 'All matches are selected',
  deleteMatchingText: (spared: number) =>
    `Are you sure you want to delete all matching messages${spared > 0 ? ` except ${number(spared)}` : ''}? This action cannot be undone.`,

  all: 'All messages',
  gone: 'That message was deleted.',
  about: 'About',
  newTab: '(in a new tab)',
  photos: (name: string) => `Photos from ${name}`,
  photo: (place: number, count: number, name: string) => `Photo ${place} of ${count} from ${name}`,
  spamReasons: {
    hidden_field: 'Looks like spam: a hidden field was filled in.',
    too_fast: 'Looks like spam: it was sent within two seconds.',
    many_links: 'Looks like spam: it has many links.',
    known_pattern: 'Looks like spam: it reads like known spam.',
    marked: 'Marked as spam in the panel.',
    flood: 'Kept here because too many messages arrived within an hour.',
  } satisfies Record<SpamReason | 'flood', string>,
  notSpam: 'Not spam',
  notSpamOf: (name: string) => `Not spam: message from ${name}`,
  noSpam: (name: string) => `The message from ${name} is not spam. It is back under “To answer”.`,
  mark: 'Mark as',
  markOf: (name: string) => `Mark as: message from ${name}`,
  marked: (name: string, state: string) => `The message from ${name} is now marked “${state}”.`,
  markFailed: 'The message could not be marked. Nothing was changed.',

  note: {
    title: 'Private note',
    add: 'Add a note',
    addTo: (name: string) => `Add a note to the message from ${name}`,
    edit: 'Edit',
    editOf: (name: string) => `Edit the note on the message from ${name}`,
    hint: 'Only administrators see it.',
    save: 'Save note',
    saving: 'Saving...',
    saved: 'Note saved.',
    removed: 'Note removed.',
    failed: 'The note could not be saved. What you typed is still here.',
    changed: 'Someone else saved a different note in the meantime. What you typed is still here.',
    savedVersion: 'Saved version:',
    savedRemoved: 'The saved note was removed.',
    overwrite: 'Save mine instead',
    keepSaved: 'Keep theirs',
  },

  /** In the language of the one it is to. */
  letter: (brand: string) => ({
    locale: 'en',
    greeting: (name: string) => `Dear ${name},`,
    regards: `Best regards,\n${brand}`,
    wrote: (date: string | null) => (date ? `On ${date} you wrote:` : 'You wrote:'),
    subject: `Re: your message to ${brand}`,
  }),
  reply: {
    title: (name: string) => `Reply to ${name}`,
    to: (email: string) => `Goes to ${email}.`,
    send: 'Send reply',
    sending: 'Sending...',
    discard: 'Discard',
    discarded: 'Reply discarded.',
    missing: 'Please write a reply.',
    done: (name: string) => `Your reply to ${name} is saved and on its way.`,
    failed: 'The reply was not sent. What you wrote is still here.',
    sentBefore: 'An earlier version of this reply was already sent, as shown above. Your later changes were not sent.',
    /** Without a mail server. */
    subject: (subject: string) => `Subject: ${subject}`,
    openProgram: 'Open in mail program',
    openGmail: 'Open in Gmail',
    copy: 'Copy text',
    copied: 'The letter is copied. Paste it into your email.',
    copyFailed: 'The letter could not be copied. It is selected: press Ctrl+C, or copy it by hand.',
    cut: 'Opened there, the end of this long letter is cut off; the copied text has all of it.',
    untilSent: 'The message stays under “To answer” until you say you have sent your reply.',
    iSentIt: 'I have sent it',
    waiting: (name: string) => `You have an unsent reply to ${name}.`,
    continue: 'Continue writing',
    yours: 'Your reply',
  },
  sending: {
    sent: (when: string) => `Sent ${when}`,
    waiting: 'Waiting to be sent',
    waitingWhy: (reason: string) => `Waiting to be sent: ${reason}`,
    failed: (reason: string) => `Not sent: ${reason}`,
    unknown: 'This may not have been sent.',
    noReason: 'the mail server gave no reason.',
    retryOf: (name: string) => `Try again: reply to ${name}`,
    retrying: 'Trying again.',
    retryFailed: 'The email could not be retried.',
  },

  mail: {
    title: 'Email',
    loading: 'Loading email status…',
    failed: 'Email status could not be loaded.',
    off: 'Email is off: you are not notified of new messages, and you send replies with your own email program.',
    setUp: 'Set up email',
    on: (to: string) => `Each message is also sent to ${to}.`,
    settings: 'Email settings',
    unsentTitle: 'Unsent emails',
    kinds: {
      inquiry: 'New message',
      reminder: 'Reminder',
      backup: 'Backups',
      acknowledgement: 'Confirmation',
      reply: 'Reply',
      address: 'Email address',
      password: 'New password',
      new_device: 'New device',
    } satisfies Record<MailKind, string>,
    to: (email: string) => `to ${email}`,
    tried: (times: number, next: string) => `${times === 1 ? 'Tried once' : `Tried ${times} times`}. Next try: ${next}.`,
    noRetry: 'It will not be retried automatically.',
    openMessage: 'Open the message',
    retryOf: (subject: string) => `Try again: ${subject}`,
    discard: 'Discard',
    discardOf: (subject: string) => `Discard: ${subject}`,
    discardTitle: 'Discard this email?',
    discardText: 'It will not be sent. The message it is about stays as it is.',
    discarded: 'Email discarded.',
    discardFailed: 'The email could not be discarded. Please try again.',
  },
}

export type ContactTexts = typeof contacts
