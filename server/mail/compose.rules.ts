import type { MailTexts } from '#content/en/mails.ts'
import { problemSentence } from '#content/problem-sentence.ts'
import { mailTexts, problemTexts } from '#content/server-texts.ts'
import { linkKeys } from '#contract/accounts.ts'
import type { BackupFault } from '#contract/backup-status.ts'
import { answerWithinHours, contactKey, projectTypeName } from '#contract/contacts.admin.ts'
import { adminPath, signInPath } from '#contract/first-visit.ts'
import type { Language } from '#contract/languages.ts'
import type { ProblemReply } from '#contract/problems.ts'
import { hour } from '#server/clock.ts'
import type { ContactMessageRow, MailMessage } from '#server/database/tables.ts'

type Composed = Pick<MailMessage, 'subject' | 'text'>

/** A name or title must not begin a line of its own, which would look like one of the site's. */
const named = (text: string) => oneLine(text, 120)

/** When a message is answered, as the site promises. */
export function answerBy(createdAt: string) {
  return new Date(Date.parse(createdAt) + answerWithinHours * hour)
}

type Facts = { language: Language; publicUrl: string | undefined }
/** The maker's. */
type Timed = Facts & { timeZone: string }
/** Mails to visitors, and the one that tries it out, say whose site it is. */
type Signed = Facts & { brand: string }

/** To the maker. The visitor's text comes last, so that it cannot pass for what the site says. */
export function composeContact(contact: ContactMessageRow, photos: number, { language, publicUrl, timeZone }: Timed): Composed {
  const { projectTypes, contact: t } = mailTexts[language]
  const { id, projectType, aboutId, message, createdAt } = contact
  const name = named(contact.name)
  const about = contact.aboutTitle && named(contact.aboutTitle)
  return {
    subject: about ? t.subjectAbout(name, about) : t.subject(name),
    text: paragraphs(
      t.from(name, named(contact.email)),
      lines(
        projectType && t.projectType(projectTypeName(projectTypes, named(projectType))),
        about && t.about(about),
        about && aboutId && publicUrl && `${publicUrl}/?project=${aboutId}`,
        photos > 0 && t.photos(photos),
      ),
      t.answerBy(answerBy(createdAt), timeZone),
      lines(t.how, publicUrl && `${publicUrl}${adminPath}?${contactKey}=${id}`),
      t.below,
      message,
    ),
  }
}

type Waiting = Pick<ContactMessageRow, 'id' | 'name' | 'aboutTitle' | 'createdAt'>
type Digest = { waiting: readonly Waiting[]; count: number; spam: number; now: Date }

/** To the maker: of those that wait, by name and not by what they say. */
export function composeReminder({ waiting, count, spam, now }: Digest, { language, publicUrl }: Facts): Composed {
  const { reminder: t } = mailTexts[language]
  const lineOf = ({ name, aboutTitle, createdAt }: Waiting) => {
    const who = aboutTitle ? t.about(named(name), named(aboutTitle)) : named(name)
    const left = (answerBy(createdAt).getTime() - now.getTime()) / hour
    return left >= 0 ? t.left(who, Math.floor(left)) : t.overdue(who, Math.floor(-left))
  }
  return {
    subject: t.subject(count),
    text: paragraphs(
      t.intro,
      lines(...waiting.map((each) => `- ${lineOf(each)}`), count > waiting.length && t.more(count - waiting.length)),
      spam > 0 && t.spam(spam),
      publicUrl && lines(t.panel, `${publicUrl}${adminPath}`),
    ),
  }
}

type TroubledBackup = { job: keyof MailTexts['faults']['jobs']; fault: Pick<BackupFault, 'code' | 'details'> }

/** To the maker: of backups that keep failing. */
export function composeFaults(faults: readonly TroubledBackup[], { language, publicUrl }: Facts): Composed {
  const { faults: t } = mailTexts[language]
  const lineOf = ({ job, fault }: TroubledBackup) =>
    t.line(t.jobs[job], problemSentence(problemTexts[language], fault as ProblemReply) ?? t.unknown)
  return {
    subject: t.subject,
    text: paragraphs(
      t.intro,
      lines(...faults.map((each) => `- ${lineOf(each)}`)),
      t.again,
      publicUrl && lines(t.panel, `${publicUrl}${adminPath}`),
    ),
  }
}

/** To the visitor, without what was written: otherwise anyone could make the site send a text to any address. */
export function composeAcknowledgement({ language, publicUrl, brand }: Signed): Composed {
  const { acknowledgement: t } = mailTexts[language]
  return { subject: t.subject(brand), text: paragraphs(t.text, lines(brand, publicUrl), t.notYou) }
}

/** To the visitor, as the maker wrote it. */
export function composeReply(
  { aboutTitle }: Pick<ContactMessageRow, 'aboutTitle'>,
  text: string,
  { language, brand }: Pick<Signed, 'language' | 'brand'>,
): Composed {
  const { reply: t } = mailTexts[language]
  return { subject: aboutTitle ? t.subjectAbout(brand, named(aboutTitle)) : t.subject(brand), text }
}

export function composeTest({ language, publicUrl, brand }: Signed): Composed {
  const { test: t } = mailTexts[language]
  return { subject: t.subject(brand), text: paragraphs(t.text, publicUrl && `${publicUrl}${adminPath}`) }
}

type Link = { key: keyof typeof linkKeys; token: string; username: string }

/** To the owner of an account: a link that confirms the address, or sets a new password. */
export function composeLink({ key, token, username }: Link, { language, publicUrl, brand }: Signed): Composed {
  const t = mailTexts[language].links[key]
  const query = new URLSearchParams({ lang: language, [linkKeys[key]]: token })
  return {
    subject: t.subject(brand),
    text: paragraphs(t.text(named(username)), `${publicUrl}${signInPath}?${query}`, t.notYou),
  }
}

type NewDevice = { username: string; browser: string | null; system: string | null; now: Date }

/** To the owner of an account: somebody has signed in. */
export function composeNewDevice({ username, browser, system, now }: NewDevice, facts: Signed & Timed): Composed {
  const { newDevice: t } = mailTexts[facts.language]
  const device = browser && system ? t.device(browser, system) : (browser ?? system ?? t.unknown)
  return {
    subject: t.subject(facts.brand),
    text: paragraphs(
      t.text(named(username), now, facts.timeZone),
      device,
      t.you,
      lines(t.notYou, facts.publicUrl && `${facts.publicUrl}${adminPath}`),
    ),
  }
}

type Part = string | false | null | undefined

const joined = (parts: readonly Part[], between: string) => parts.filter((part) => part).join(between)
const lines = (...parts: Part[]) => joined(parts, '\n')
const paragraphs = (...parts: Part[]) => `${joined(parts, '\n\n')}\n`

// Line ends and other control characters, and those that turn the direction of what follows.
const unwanted = /[\p{Control}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu

/** For a header or a list: what a visitor or a mail server has written, in one line and not endless. */
export function oneLine(text: string, most: number) {
  // Split by a space of no width: a mail program would decode an encoded word (`=?utf-8?q?=41?=`) and show another name.
  const line = text.replace(unwanted, ' ').replaceAll('=?', '=\u200b?').replace(/ {2,}/g, ' ').trim()
  const characters = [...line]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line
}
