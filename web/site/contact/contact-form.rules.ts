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
