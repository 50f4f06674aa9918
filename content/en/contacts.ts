import type { ContactState, SpamReason } from '#contract/contacts.fields.ts'
import type { MailKind } from '#contract/mails.ts'

/** A length of time in whole units. */
export type Span = { count: number; unit: 'minute' | 'hour' | 'day' }

const said = ({ count, unit }: Span) =>
  ({ minute: `${count} min`, hour: `${count} h`, day: count === 1 ? '1 day' : `${count.toLocaleString('en')} days` })[unit]

const number = (value: number) => value.toLocaleString('en')

/** What the panel says of messages beside the specification's own words, which are in en.admin.ts. */
export const contacts = {
  /** The first sentence of the dashboard. */
  toAnswer: (count: number, { isOverdue, span }: { isOverdue: boolean; span: Span }) => {
    const when = isOverdue ? `overdue by ${said(span)}` : `in ${said(span)}`
    return `${number(count)} to answer, ${count === 1 ? when : `the oldest ${when}`}`
  },
  nothingToAnswer: 'Nothing to answer',
  answerThem: 'Answer',
  newsFailed: 'It could not be read whether messages wait for an answer.',
  arrived: (waiting: number) => `A new message has arrived. ${number(waiting)} to answer.`,
  left: (span: Span) => `${said(span)} left`,
  overdue: (span: Span) => `Overdue by ${said(span)}`,

  states: { new: 'To answer', answered: 'Answered', quoted: 'Quoted', closed: 'Closed', spam: 'Spam' } satisfies Record<
    ContactState,
    string
  >,
  filter: 'Which messages are listed',
  filters: { all: 'All', new: 'To answer', answered: 'Answered', quoted: 'Quoted', closed: 'Closed', spam: 'Spam' },
  emptyIn: {
    new: 'Nothing to answer.',
    answered: 'No message is marked as answered.',
    quoted: 'No message is marked as quoted.',
    closed: 'No message is marked as closed.',
    spam: 'No spam. What looks like it is kept here for 60 days.',
  } satisfies Record<ContactState, string>,
  spamHint: 'What looks like spam is kept here for 60 days. No mail was sent of it.',
  search: 'Search messages',
  noMatch: 'No message matches. Try another word, or look among all of them.',
  download: 'Download CSV',
  downloadShort: 'CSV',
  pages: 'Pages of the list',
  previous: 'Previous',
  next: 'Next',
  range: (first: number, last: number, all: number | undefined) =>
    `Messages ${number(first)} to ${number(last)}${all === undefined ? '' : ` of ${number(all)}`}`,
  selectFound: 'Select all messages that were found',
  allFound: 'All that were found are selected',
  deleteFoundText: (spared: number) =>
    `Are you sure you want to delete all messages that were found${spared > 0 ? `, but for ${number(spared)}` : ''}? This action cannot be undone.`,

  all: 'All messages',
  gone: 'That message is not here any more: it was deleted.',
  about: 'About',
  newTab: '(in a new tab)',
  photos: (name: string) => `Photos from ${name}`,
  photo: (place: number, count: number, name: string) => `Photo ${place} of ${count} from ${name}`,
  spamReasons: {
    hidden_field: 'Looks like spam: a field that people do not see was filled in.',
    too_fast: 'Looks like spam: it was sent within two seconds.',
    many_links: 'Looks like spam: it has many links.',
    known_pattern: 'Looks like spam: its words are those of known spam.',
    marked: 'Marked as spam by you.',
    flood: 'Kept here because very many messages arrived within an hour.',
  } satisfies Record<SpamReason | 'flood', string>,
  notSpam: 'Not spam',
  notSpamOf: (name: string) => `Not spam: message from ${name}`,
  noSpam: (name: string) => `The message from ${name} is not spam. It waits for an answer now.`,
  mark: 'Mark as',
  markOf: (name: string) => `Mark as: message from ${name}`,
  marked: (name: string, state: string) => `The message from ${name} is marked: ${state}.`,
  markFailed: 'The message could not be marked. It is as it was.',
  undo: 'Undo',
  undoHint: 'Undo. F8 leads to the button.',

  note: {
    title: 'Private note',
    add: 'Add a note',
    addTo: (name: string) => `Add a note to the message from ${name}`,
    edit: 'Edit',
    editOf: (name: string) => `Edit the note on the message from ${name}`,
    hint: 'Only administrators see it.',
    save: 'Save note',
    saving: 'Saving...',
    saved: 'The note is saved.',
    removed: 'The note is removed.',
    failed: 'The note could not be saved. What you typed is still here.',
    changed: 'Somebody else has saved another note since you began. What you typed is still here.',
    theirs: 'Saved meanwhile:',
    theirsEmpty: 'Meanwhile the note was removed.',
    overwrite: 'Save mine instead',
    takeTheirs: 'Keep the other',
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
    discarded: 'The reply was discarded.',
    missing: 'Please write a reply.',
    done: (name: string) => `The reply to ${name} is kept and on its way.`,
    failed: 'The reply was not sent. What you wrote is still here.',
    sentBefore:
      'An earlier version of this reply had arrived already and was sent as it stands above. What you changed since has not been sent.',
    byMail: 'Your mail program opens with the reply prepared. The message is marked as answered.',
    waiting: (name: string) => `A reply to ${name} is half-written and kept here.`,
    continue: 'Continue writing',
    yours: 'Your reply',
  },
  sending: {
    sent: (when: string) => `Sent ${when}`,
    waiting: 'Waiting to be sent',
    waitingWhy: (reason: string) => `Waiting to be sent: ${reason}`,
    failed: (reason: string) => `Not sent: ${reason}`,
    unknown: 'It is not known whether this was sent.',
    noReason: 'the mail server gave no reason.',
    retryOf: (name: string) => `Try again: reply to ${name}`,
    retried: 'It is being tried again.',
    retryFailed: 'The mail could not be tried again.',
  },

  mail: {
    title: 'Mail',
    loading: 'Loading the state of the mail…',
    failed: 'The state of the mail could not be read.',
    off: 'Mail is off: nobody is told when a message arrives, and replies are written in your own mail program. To switch it on, set',
    offAnd: 'and',
    offHow: '; README.md says how.',
    on: (to: string) => `Each message is also sent to ${to}.`,
    acknowledge: 'Tell visitors that their message has arrived',
    acknowledgeHint: 'A short mail in their language. It repeats nothing they wrote.',
    acknowledges: 'Visitors are told from now on that their message has arrived.',
    acknowledgesNot: 'Visitors get no mail of that any more.',
    changeFailed: 'That could not be changed. Please try again.',
    test: 'Send a test mail',
    testing: 'Sending...',
    testFailed: 'The test mail could not be sent.',
    tested: {
      sent: (to: string) => `The test mail was sent. Please look into ${to}.`,
      waiting: 'The test mail is on its way to the mail server…',
      waitingWhy: (reason: string) => `The test mail has not been sent so far. It is tried again by itself. Reason: ${reason}`,
      failed: (reason: string) => `The test mail was not sent. Reason: ${reason}`,
    },
    troubled: (count: number) =>
      count === 1 ? 'One mail has not been sent so far.' : `${number(count)} mails have not been sent so far.`,
    look: 'Show',
    troubledTitle: 'Not sent so far',
    kinds: {
      inquiry: 'New message',
      reminder: 'Reminder',
      backup: 'Backups',
      test: 'Test mail',
      acknowledgement: 'Acknowledgement',
      reply: 'Reply',
    } satisfies Record<MailKind, string>,
    to: (email: string) => `to ${email}`,
    tried: (times: number, next: string) => `${times === 1 ? 'Tried once' : `Tried ${times} times`}; the next time ${next}.`,
    triedInVain: 'It is not tried again by itself.',
    openMessage: 'Open the message',
    retryOf: (subject: string) => `Try again: ${subject}`,
    giveUp: 'Give up',
    giveUpOf: (subject: string) => `Give up: ${subject}`,
    giveUpTitle: 'Give up this mail?',
    giveUpText: 'It will not be sent. The message it is about stays as it is.',
    givenUp: 'The mail is given up.',
    giveUpFailed: 'The mail could not be given up. Please try again.',
  },
}

export type ContactTexts = typeof contacts
