import type { Texts } from '#content/en.ts'
import { contactFields, contactLimits } from '#contract/contacts.fields.ts'
import type { contactDraft } from '#contract/contacts.ts'

type ContactField = (typeof contactFields)[number]
export type ContactEntries = Record<ContactField, string>
export type ContactFaults = Partial<Record<ContactField, string>>

export type Objection = { title: string; faults: ContactFaults }

const required = ['name', 'email', 'message'] as const

/**
 * What stands in the way of sending: what is missing first, else what is wrong, each in the visitor's language. Without the
 * draft's own rules only what is missing is found.
 */
export function judgeContact(
  entries: ContactEntries,
  texts: Texts['contact']['form'],
  draft?: typeof contactDraft,
): Objection | undefined {
  const empty = required.filter((field) => entries[field].trim() === '')
  if (empty.length > 0) {
    return { title: texts.missing, faults: Object.fromEntries(empty.map((field) => [field, texts.missingField[field]])) }
  }
  const judged = draft?.safeParse(entries)
  if (!judged || judged.success) return undefined
  const faults: ContactFaults = {}
  for (const { path, code } of judged.error.issues) {
    const field = contactFields.find((each) => each === path[0])
    if (!field) continue
    if (code === 'too_big' && field in contactLimits)
      faults[field] ??= texts.tooLong(contactLimits[field as keyof typeof contactLimits])
    else if (field === 'email') faults.email ??= texts.invalidEmail
    else faults[field] ??= texts.checkFields
  }
  return { title: texts.checkFields, faults }
}
