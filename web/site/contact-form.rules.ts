import type { Texts } from '#content/en.ts'
import { contactDraft, contactLimits } from '#contract/contacts.ts'

export const contactFields = ['name', 'email', 'projectType', 'message', 'website'] as const
type ContactField = (typeof contactFields)[number]
export type ContactEntries = Record<ContactField, string>
export type ContactFaults = Partial<Record<ContactField, string>>

const required = ['name', 'email', 'message'] as const

/** What stands in the way of sending: what is missing first, else what is wrong, each in the visitor's language. */
export function judgeContact(
  entries: ContactEntries,
  texts: Texts['contact']['form'],
): { title: string; faults: ContactFaults } | undefined {
  const empty = required.filter((field) => entries[field].trim() === '')
  if (empty.length > 0) {
    return { title: texts.missing, faults: Object.fromEntries(empty.map((field) => [field, texts.missingField[field]])) }
  }
  const judged = contactDraft.safeParse(entries)
  if (judged.success) return undefined
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
