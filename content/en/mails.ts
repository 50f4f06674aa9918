import { mailMoment } from '../mail-moment.ts'
import { site } from './site.ts'

const hours = (count: number) => (count === 1 ? 'one hour' : `${count} hours`)

/** What mails say. They are plain text; a link stands on a line of its own. */
export const mails = {
  projectTypes: site.contact.form.projectTypes as Readonly<Record<string, string>>,
  contact: {
    subject: (name: string) => `New inquiry from ${name}`,
    subjectAbout: (name: string, about: string) => `New inquiry from ${name} about ${about}`,
    from: (name: string, email: string) => `${name} (${email}) has written to you.`,
    projectType: (type: string) => `Project type: ${type}`,
    about: (title: string) => `About: ${title}`,
    photos: (count: number) => (count === 1 ? 'One photo: it is in the panel.' : `${count} photos: they are in the panel.`),
    answerBy: (at: Date) => `Please answer by ${mailMoment(at, 'en')}.`,
    how: 'Answer it in the panel, or answer this mail: that goes to the visitor. Mark the inquiry as answered in the panel then.',
    below: 'The visitor’s own words, to the end of this mail:',
  },
  reminder: {
    subject: (count: number) => (count === 1 ? 'One inquiry waits for an answer' : `${count} inquiries wait for an answer`),
    intro: 'The site promises an answer within 48 hours. The oldest come first:',
    about: (name: string, about: string) => `${name}, about ${about}`,
    left: (who: string, left: number) => `${who}: ${left < 1 ? 'less than an hour' : hours(left)} left`,
    overdue: (who: string, by: number) =>
      `${who}: overdue by ${by < 1 ? 'less than an hour' : by < 48 ? hours(by) : `${Math.floor(by / 24)} days`}`,
    more: (count: number) => (count === 1 ? 'and one more' : `and ${count} more`),
    spam: (count: number) =>
      count === 1
        ? 'Since the last reminder one message was kept as spam. Have a look whether it is one.'
        : `Since the last reminder ${count} messages were kept as spam. Have a look whether they are.`,
    panel: 'The panel:',
  },
  acknowledgement: {
    subject: (brand: string) => `${brand}: your message has arrived`,
    text: 'Thank you for your interest. Your message has arrived, and I will answer it within 48 hours.',
    notYou:
      'This mail was sent by itself because your address was entered in the contact form. If that was not you, you need not do anything.',
  },
  reply: {
    subject: (brand: string) => `Re: your message to ${brand}`,
    subjectAbout: (brand: string, about: string) => `Re: your message to ${brand} about ${about}`,
  },
  faults: {
    subject: 'The backups need your attention',
    intro: 'The site looks after its backups by itself, and this keeps failing:',
    kinds: {
      night: 'The backup of every night',
      copy: 'The copy in the second place',
      trial: 'Trying out a backup',
    },
    line: (what: string, sentence: string) => `${what}: ${sentence}`,
    unknown: 'it is not known why.',
    again: 'It is tried again by itself. What was made before is still there.',
    panel: 'The panel:',
  },
  test: {
    subject: (brand: string) => `${brand}: mail works`,
    text: 'This mail was asked for in the panel, to see whether it arrives. It has: every inquiry will be told to this address.',
  },
}
export type MailTexts = typeof mails
