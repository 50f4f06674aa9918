import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { type FieldError, type FieldValues, get, type Path, type PathValue, type UseFormReturn } from 'react-hook-form'
import { Field, Input } from '../ui/field.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useAdminTexts } from './texts.ts'

type Props<Values extends FieldValues, Name extends Path<Values>> = Omit<ComponentProps<'input'>, 'form' | 'name'> & {
  form: UseFormReturn<Values>
  name: Name
  label: string
  hint?: ReactNode
  /** Said when it is empty or not valid, unless the server has a sentence for it. */
  missing?: string
  isOptional?: boolean
  /** With an asterisk; a form of one field needs none. */
  isMarked?: boolean
  /** By default it must not be empty. */
  isValid?(value: PathValue<Values, Name>): boolean
}

/** One line of a form. What is wrong with it is said below, until it is edited. */
export function InputField<Values extends FieldValues, Name extends Path<Values>>(props: Props<Values, Name>) {
  const { common } = useAdminTexts()
  const { form, name, label, hint, missing = common.fillAll, isOptional = false, isMarked, isValid, ...input } = props
  const fault = get(form.formState.errors, name) as FieldError | undefined
  const isPassword = input.type === 'password'
  const isEntered = (value: unknown) => isOptional || (isPassword ? value : String(value || '').trim()) !== ''
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
          {...form.register(name, { validate: isValid ?? isEntered, valueAsNumber: input.type === 'number' })}
          autoCapitalize="none"
          spellCheck={false}
          {...input}
        />
      )}
    </Field>
  )
}

/** A password field whose text can be shown. */
function PasswordInput(props: ComponentProps<'input'>) {
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
