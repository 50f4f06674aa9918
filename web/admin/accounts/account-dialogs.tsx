import { type FormEventHandler, type ReactNode, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { DialogError, showFieldFaults } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { useChangePassword, useCreateAdmin, useOwnName } from './account-calls.ts'
import { PasswordAdvice, PasswordInput } from './password-input.tsx'

type Props = {
  title: string
  description: string
  submitLabel: string
  busy: boolean
  /** Why it was not done, when that is about no single field. */
  failure: string | undefined
  onSubmit: FormEventHandler
  onClose(): void
  children: ReactNode
}

function AdminDialog({ title, description, submitLabel, busy, failure, onSubmit, onClose, children }: Props) {
  const t = useAdminTexts()
  return (
    <Dialog open onClose={() => !busy && onClose()} title={title} description={description} closeLabel={t.common.close}>
      <form onSubmit={onSubmit} noValidate className="contents">
        <DialogBody className="grid gap-6">{children}</DialogBody>
        <DialogError>{failure}</DialogError>
        <DialogActions>
          <Button size="small" onClick={onClose} disabled={busy}>
            {t.common.cancel}
          </Button>
          <Button type="submit" tone="brass" size="small" disabled={busy}>
            {submitLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Checks only that nothing is empty; the server checks lengths. */
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
