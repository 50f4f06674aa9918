import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Field, Input } from '../../ui/field.tsx'
import { showFieldFaults } from '../failures.ts'
import { useNotices } from '../notices.ts'
import { PasswordInput } from '../password-input.tsx'
import { useAdminTexts } from '../texts.ts'
import { useCreateAdmin } from './account-calls.ts'
import { AdminDialog } from './account-dialog.tsx'
import { PasswordAdvice } from './password-advice.tsx'

/** Only emptiness is judged here; how long a name and a password must be is the server's to say. */
export function CreateAdmin({ onClose }: { onClose(): void }) {
  const t = useAdminTexts()
  const notices = useNotices()
  const create = useCreateAdmin()
  const [failure, setFailure] = useState<string>()
  const form = useForm({ defaultValues: { username: '', password: '' } })
  const { register, handleSubmit, control, formState } = form
  const typed = useWatch({ control })
  const { errors } = formState
  const submit = handleSubmit(
    (entered) => {
      setFailure(undefined)
      create.mutate(entered, {
        onSuccess: () => {
          notices.done(t.accounts.createDone)
          onClose()
        },
        onError: (error) => {
          notices.refused(error, t.accounts.createFailed)
          if (!showFieldFaults(error, t, form)) setFailure(notices.lasting(error, t.accounts.createFailed))
        },
      })
    },
    () => notices.fail(t.common.fillAll),
  )
  return (
    <AdminDialog
      title={t.accounts.create}
      description={t.accounts.createText}
      submitLabel={create.isPending ? t.accounts.creating : t.accounts.create}
      busy={create.isPending}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={t.accounts.username}
        required={t.common.required}
        error={errors.username && (errors.username.message || t.accounts.missing.username)}
      >
        {(slot) => (
          <Input
            {...slot}
            {...register('username', { validate: (name) => name.trim() !== '' })}
            placeholder={t.accounts.usernamePlaceholder}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label={t.accounts.password}
        required={t.common.required}
        error={errors.password && (errors.password.message || t.accounts.missing.password)}
        hint={<PasswordAdvice password={typed.password ?? ''} username={typed.username} />}
      >
        {(slot) => (
          <PasswordInput
            {...slot}
            {...register('password', { required: true })}
            placeholder={t.accounts.passwordPlaceholder}
            autoComplete="new-password"
          />
        )}
      </Field>
    </AdminDialog>
  )
}
