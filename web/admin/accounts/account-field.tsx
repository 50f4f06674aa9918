import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { type FieldError, type FieldValues, get, type Path, type UseFormReturn } from 'react-hook-form'
import { Field, Input } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useAdminTexts } from '../texts.ts'
import { weaknessOf } from './password.rules.ts'

type Props<Values extends FieldValues> = Omit<ComponentProps<'input'>, 'form' | 'name' | 'required'> & {
  form: UseFormReturn<Values>
  name: Path<Values>
  label: string
  hint?: ReactNode
  /** Said while it is empty, or instead of a fault without a sentence of the server. */
  missing: string
  /** With an asterisk; a form of one field needs none. */
  isMarked?: boolean
}

/** A name, an address or a password, which must not be empty. The server checks the rest. */
export function AccountField<Values extends FieldValues>(props: Props<Values>) {
  const { form, name, label, hint, missing, isMarked, ...input } = props
  const { common } = useAdminTexts()
  const fault = get(form.formState.errors, name) as FieldError | undefined
  const isPassword = input.type === 'password'
  const isEntered = (value: string) => (isPassword ? value : value.trim()) !== ''
  const Control = isPassword ? PasswordInput : Input
  return (
    <Field
      label={label}
      required={isMarked ? common.required : undefined}
      error={fault && (fault.type === 'server' && fault.message ? fault.message : missing)}
      hint={hint}
    >
      {(slot) => (
        <Control
          {...slot}
          {...form.register(name, { validate: isEntered })}
          autoCapitalize="none"
          spellCheck={false}
          {...input}
        />
      )}
    </Field>
  )
}

/** A password field whose text can be shown. */
export function PasswordInput(props: ComponentProps<'input'>) {
  const t = useAdminTexts()
  const [shown, setShown] = useState(false)
  const label = shown ? t.common.hideTyped : t.common.showTyped
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-13" />
      <IconButton
        icon={shown ? EyeOff : Eye}
        label={label}
        tip={label}
        onClick={() => setShown(!shown)}
        className="absolute top-0.5 right-0.5 text-(--quiet)"
      />
    </div>
  )
}

/** Advice about a password while it is typed. Always rendered: screen readers announce only changes of a live region. */
export function PasswordAdvice({ password, username }: { password: string; username: string | undefined }) {
  const t = useAdminTexts()
  const weakness = weaknessOf(password, username)
  return <span aria-live="polite">{weakness && t.accounts.weak[weakness]}</span>
}
