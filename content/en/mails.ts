import { mailMoment } from '../moments.ts'
import { site } from './site.ts'

const hours = (count: number) => (count === 1 ? 'one hour' : `${count} hours`)

/** What mails say. They are plain text; a link stands on a line of its own. */
export const mails = {
  projectTypes: site.contact.form.projectTypes as Readonly<Record<string, string>>,
  contact: {
    subject: (name: string) => `New message from ${name}`,
    subjectAbout: (name: string, about: string) => `New message from ${name} about ${about}`,
    from: (name: string, email: string) => `${name} (${email}) wrote to you.`,
    projectType: (type: string) => `Project type: ${type}`,
    about: (title: string) => `About: ${title}`,
    photos: (count: number) => (count === 1 ? 'One photo: see it in the panel.' : `${count} photos: see them in the panel.`),
    answerBy: (at: Date, timeZone: string) => `Please answer by ${mailMoment(at, 'en', timeZone)}.`,
    how: 'Answer in the panel, or reply to this email: your reply goes to the visitor. Then mark the message as answered in the panel.',
    below: 'From here to the end of this email, the visitor’s own words:',
  },
  reminder: {
    subject: (count: number) =>
      count === 1 ? 'One message is waiting for an answer' : `${count} messages are waiting for an answer`,
    intro: 'The site promises an answer within 48 hours. Oldest first:',
    about: (name: string, about: string) => `${name}, about ${about}`,
    left: (who: string, left: number) => `${who}: ${left < 1 ? 'less than an hour' : hours(left)} left`,
    overdue: (who: string, by: number) =>
      `${who}: overdue by ${by < 1 ? 'less than an hour' : by < 48 ? hours(by) : `${Math.floor(by / 24)} days`}`,
    more: (count: number) => (count === 1 ? 'and one more' : `and ${count} more`),
    spam: (count: number) =>
      count === 1
        ? 'Since the last reminder, one message was marked as spam. Please check that it is.'
        : `Since the last reminder, ${count} messages were marked as spam. Please check that they are.`,
    panel: 'The panel:',
  },
  acknowledgement: {
    subject: (brand: string) => `${brand}: your message has arrived`,
    text: 'Thank you for your interest. Your message has arrived, and I will reply within 48 hours.',
    notYou:
      'This email was sent automatically because your address was entered in the contact form. If that was not you, you can ignore it.',
  },
  reply: {
    subject: (brand: string) => `Re: your message to ${brand}`,
    subjectAbout: (brand: string, about: string) => `Re: your message to ${brand} about ${about}`,
  },
  faults: {
    subject: 'Your backups need attention',
    intro: 'These backup tasks keep failing:',
    jobs: {
      nightly: 'Nightly backup',
      copy: 'Off-site copy',
      'restore-test': 'Restore test',
    },
    line: (what: string, sentence: string) => `${what}: ${sentence}`,
    unknown: 'reason unknown.',
    again: 'The site will keep trying. Earlier backups are still there.',
    panel: 'The panel:',
  },
  /** Followed by a link. */
  links: {
    address: {
      subject: (brand: string) => `${brand}: confirm your email address`,
      text: (username: string) =>
        `This address was entered for the account “${username}”. To confirm it, open this link within 24 hours and press the button there.`,
      notYou: 'If it was not you, ignore this email. Nothing will change.',
    },
    password: {
      subject: (brand: string) => `${brand}: set a new password`,
      text: (username: string) =>
        `A new password was requested for the account “${username}”. To set one, open this link within 30 minutes. It works once.`,
      notYou: 'If it was not you, ignore this email. Your password stays as it is.',
    },
  },
  newDevice: {
    subject: (brand: string) => `${brand}: new sign-in`,
    text: (username: string, at: Date, timeZone: string) =>
      `The account “${username}” was signed in on ${mailMoment(at, 'en', timeZone)}, on a device it had not used since its password was set:`,
    device: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'Unknown device',
    you: 'If it was you, there is nothing to do.',
    notYou: 'If it was not you, change your password right away: that signs out every other device.',
  },
  test: {
    subject: (brand: string) => `${brand}: email works`,
    text: 'You asked for this test email in the panel. It arrived, so every new message will be sent to this address.',
  },
}
export type MailTexts = typeof mails
