import type { ValueFault } from './problems.ts'
import { type FieldFault, faultOf, ruleOfField, type SiteField } from './site-fields.ts'

const codes: Record<FieldFault, ValueFault['fault']> = {
  empty: 'missing',
  too_long: 'too_long',
  unseen: 'unseen_characters',
  email: 'not_an_email',
  phone: 'not_a_phone',
  link: 'not_a_link',
  date: 'not_a_day',
  country: 'wrong',
  choice: 'not_a_choice',
  photo: 'not_uploaded',
  point: 'wrong',
}

/** What is wrong with a tidied value of the site, as answers tell it. */
export function fieldFaultOf(field: SiteField, value: string): ValueFault | undefined {
  const fault = faultOf(field, value)
  const { most, choices } = ruleOfField(field)
  return (
    fault && {
      field,
      fault: codes[fault],
      ...(fault === 'too_long' && { limit: most }),
      ...(fault === 'choice' && choices && { names: [...choices] }),
    }
  )
}
