import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Field } from '../../ui/field.tsx'
import { showFieldFaults } from '../failures.ts'
import { useNotices } from '../notices.ts'
import { PasswordInput } from '../password-input.tsx'
import { useAdminTexts } from '../texts.ts'
import { useChangePassword, useOwnName } from './account-calls.ts'
import { AdminDialog } from './account-dialog.tsx'
import { PasswordAdvice } from './password-advice.tsx'

export function ChangePassword({ onClose }: { onClose(): void }) {
  const t = useAdminTexts()
  const notices = useNotices()
  const change = useChangePassword()
  const username = useOwnName()
  const [failure, setFailure] = useState<string>()
  const form = useForm({ defaultValues: { currentPassword: '', newPassword: '' } })
  const { register, handleSubmit, control, formState } = form
  const newPassword = useWatch({ control, name: 'newPassword' })
  const { errors } = formState
  const submit = handleSubmit(
    (entered) => {
      setFailure(undefined)
      change.mutate(entered, {
        onSuccess: () => {
          notices.done(t.accounts.changeDone)
          onClose()
        },
        onError: (error) => {
          notices.refused(error, t.accounts.changeFailed)
          if (!showFieldFaults(error, t, form)) setFailure(notices.lasting(error, t.accounts.changeFailed))
        },
      })
    },
    () => notices.fail(t.common.fillAll),
  )
  return (
    <AdminDialog
      title={t.accounts.changeTitle}
      description={t.accounts.changeText}
      submitLabel={change.isPending ? t.accounts.changing : t.accounts.change}
      busy={change.isPending}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={t.accounts.currentPassword}
        required={t.common.required}
        error={errors.currentPassword && (errors.currentPassword.message || t.accounts.missing.currentPassword)}
      >
        {(slot) => (
          <PasswordInput
            {...slot}
            {...register('currentPassword', { required: true })}
            placeholder={t.accounts.currentPlaceholder}
            autoComplete="current-password"
          />
        )}
      </Field>
      <Field
        label={t.accounts.newPassword}
        required={t.common.required}
        error={errors.newPassword && (errors.newPassword.message || t.accounts.missing.newPassword)}
        hint={<PasswordAdvice password={newPassword} username={username} />}
      >
        {(slot) => (
          <PasswordInput
            {...slot}
            {...register('newPassword', { required: true })}
            placeholder={t.accounts.newPlaceholder}
            autoComplete="new-password"
          />
        )}
      </Field>
    </AdminDialog>
  )
}
