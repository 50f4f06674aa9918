import type { Texts } from '#content/en/site.ts'
import { contactFields, contactLimits } from '#contract/contact-fields.ts'
import type { contactDraft } from '#contract/contacts.ts'
import type { ValueFault } from '#contract/problems.ts'
import { type Issue, valueFaultOf } from '#contract/value-fault.ts'

type ContactField = (typeof contactFields)[number]
export type ContactEntries = Record<ContactField, string>
export type ContactFaults = Partial<Record<ContactField, string>>

export type Objection = { title: string; faults: ContactFaults }

type FormTexts = Texts['contact']['form']

const required = ['name', 'email', 'message'] as const

/**
 * Why a message cannot be sent: missing fields first, else invalid ones, in the visitor's language. Without the schema only
 * missing fields are checked.
 */
export function judgeContact(entries: ContactEntries, texts: FormTexts, draft?: typeof contactDraft): Objection | undefined {
  const empty = required.filter((field) => entries[field].trim() === '')
  if (empty.length > 0) {
    return objectionTo(
      empty.map((field) => ({ field, fault: 'missing' })),
      texts,
    )
  }
  const judged = draft?.safeParse(entries)
  if (!judged || judged.success) return undefined
  return objectionTo(
    judged.error.issues.map((issue) => valueFaultOf(issue as Issue)),
    texts,
  )
}

/** The faults that the server or the schema reports, as sentences by field. */
export function objectionTo(valueFaults: readonly ValueFault[], texts: FormTexts): Objection {
  const faults: ContactFaults = {}
  for (const { field, fault, limit } of valueFaults) {
    const own = contactFields.find((each) => each === field)
    if (own) faults[own] ??= sentenceFor(own, fault, limit, texts)
  }
  const isMissing = valueFaults.some(({ fault }) => fault === 'missing')
  return { title: isMissing ? texts.missing : texts.checkFields, faults }
}

function sentenceFor(field: ContactField, fault: ValueFault['fault'], limit: number | undefined, texts: FormTexts) {
  if (fault === 'missing' && field in texts.missingField) return texts.missingField[field as (typeof required)[number]]
  if (fault === 'too_long') return texts.tooLong(limit ?? contactLimits.message)
  return field === 'email' ? texts.invalidEmail : texts.checkFields
}

export function entriesOf(form: HTMLFormElement) {
  const data = new FormData(form)
  return Object.fromEntries(contactFields.map((field) => [field, String(data.get(field) ?? '')])) as ContactEntries
}

/** Where most addresses are. Short names are too close to others to be what was meant. */
const commonDomains = (
  'gmail.com hotmail.com outlook.com yahoo.com icloud.com hotmail.es outlook.es yahoo.es yahoo.com.mx live.com.mx protonmail.com ' +
  'mail.com email.com ymail.com gmx.com gmx.net gmx.de live.com aol.com me.com'
).split(' ')
const fewestLetters = 8

/** The address that was meant by one with a slip in a common domain, such as gmial.com. While it is typed, what is missing is no slip. */
export function meantAddress(email: string, isTyping: boolean) {
  const [, local, written] = /^\s*([^@\s]+)@([^@\s]+)\s*$/.exec(email) ?? []
  const domain = written?.toLowerCase().replaceAll(',', '.') ?? ''
  if (commonDomains.includes(domain)) return written?.includes(',') ? `${local}@${domain}` : undefined
  const isMeant = (each: string) => {
    if (each.length < fewestLetters || (isTyping && each.startsWith(domain))) return false
    return each.split('.')[0] === domain || (isOneSlip(domain, each) && !isAbroad(domain, each))
  }
  const meant = domain && commonDomains.find(isMeant)
  return meant ? `${local}@${meant}` : undefined
}

/** One letter is wrong, missing or too many, or two have changed places. */
function isOneSlip(written: string, meant: string) {
  const at = [...meant, ''].findIndex((letter, index) => letter !== written[index])
  const [rest, wanted] = [written.slice(at), meant.slice(at)]
  const swapped = rest.charAt(1) + rest.charAt(0) + rest.slice(2)
  return rest.slice(1) === wanted.slice(1) || rest.slice(1) === wanted || rest === wanted.slice(1) || swapped === wanted
}

/** The same provider in another country, such as hotmail.se; `co`, `cm` and `om` are slips. */
function isAbroad(written: string, meant: string) {
  const [name, ...ending] = written.split('.')
  return name === meant.split('.')[0] && /^[a-z]{2}$/.test(ending.join('.')) && !/^(co|cm|om)$/.test(ending.join('.'))
}
