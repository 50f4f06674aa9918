import type { ComponentProps } from 'react'
import { type FieldPathByValue, type FieldValues, useWatch } from 'react-hook-form'
import { InputField } from '../input-field.tsx'
import { useAdminTexts } from '../texts.ts'
import { weaknessOf } from './password.rules.ts'

type Props<Values extends FieldValues, Name extends FieldPathByValue<Values, string>> = ComponentProps<
  typeof InputField<Values, Name>
> & { username?: string | undefined }

/** A password to be chosen, with advice while it is typed. */
export function NewPasswordField<Values extends FieldValues, Name extends FieldPathByValue<Values, string>>({
  username,
  ...field
}: Props<Values, Name>) {
  const { weak } = useAdminTexts().accounts
  const weakness = weaknessOf(useWatch({ control: field.form.control, name: field.name }), username)
  // Always rendered: screen readers announce only changes of a live region.
  const advice = <span aria-live="polite">{weakness && weak[weakness]}</span>
  return <InputField {...field} type="password" hint={advice} autoComplete="new-password" />
}
