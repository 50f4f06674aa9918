import type { UseMutationResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { type DefaultValues, type FieldError, get, type Path, type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { Field, Input } from '../../ui/field.tsx'
import { FormDialog, useSentForm } from '../form-dialog.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { useChangePassword, useCreateAdmin, useOwnAccount } from './account-calls.ts'
import { PasswordAdvice, PasswordInput } from './password-input.tsx'

export function CreateAdmin({ onClose }: { onClose(): void }) {
  const t = useAdminTexts().accounts
  const create = useCreateAdmin()
  const words = { done: t.createDone, failed: t.createFailed }
  const { form, failure, submit } = useAccountForm({ username: '', password: '' }, create, { ...words, onClose })
  const typed = useWatch({ control: form.control })
  return (
    <FormDialog
      title={t.create}
      description={t.createText}
      submitLabel={create.isPending ? t.creating : t.create}
      busy={create.isPending}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <AccountField
        form={form}
        name="username"
        label={t.username}
        placeholder={t.usernamePlaceholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <AccountField
        form={form}
        name="password"
        label={t.password}
        hint={<PasswordAdvice password={typed.password ?? ''} username={typed.username} />}
        placeholder={t.passwordPlaceholder}
        autoComplete="new-password"
      />
    </FormDialog>
  )
}

export function ChangePassword({ onClose }: { onClose(): void }) {
  const t = useAdminTexts().accounts
  const change = useChangePassword()
  const username = useOwnAccount()?.username
  const words = { done: t.changeDone, failed: t.changeFailed }
  const empty = { currentPassword: '', newPassword: '' }
  const { form, failure, submit } = useAccountForm(empty, change, { ...words, onClose })
  const newPassword = useWatch({ control: form.control, name: 'newPassword' })
  return (
    <FormDialog
      title={t.changeTitle}
      description={t.changeText}
      submitLabel={change.isPending ? t.changing : t.change}
      busy={change.isPending}
      failure={failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <AccountField
        form={form}
        name="currentPassword"
        label={t.currentPassword}
        placeholder={t.currentPlaceholder}
        autoComplete="current-password"
      />
      <AccountField
        form={form}
        name="newPassword"
        label={t.newPassword}
        hint={<PasswordAdvice password={newPassword} username={username} />}
        placeholder={t.newPlaceholder}
        autoComplete="new-password"
      />
    </FormDialog>
  )
}

type Values = Record<string, string>

/** Checks only that nothing is empty; the server checks lengths. */
function useAccountForm<Entered extends Values>(
  empty: Entered,
  call: UseMutationResult<unknown, Error, Entered>,
  words: Parameters<typeof useSentForm>[2],
) {
  const { common } = useAdminTexts()
  const notices = useNotices()
  const form = useForm<Entered>({ defaultValues: empty as DefaultValues<Entered> })
  const { failure, send } = useSentForm(form, call, words)
  return { form, failure, submit: form.handleSubmit(send, () => notices.fail(common.fillAll)) }
}

type FieldProps<Entered extends Values> = Omit<ComponentProps<typeof Input>, 'form' | 'name'> & {
  form: UseFormReturn<Entered>
  name: Path<Entered> & keyof ReturnType<typeof useAdminTexts>['accounts']['missing']
  label: string
  hint?: ReactNode
}

function AccountField<Entered extends Values>({ form, name, label, hint, ...input }: FieldProps<Entered>) {
  const { common, accounts } = useAdminTexts()
  const fault = get(form.formState.errors, name) as FieldError | undefined
  const Control = name === 'username' ? Input : PasswordInput
  const isEntered = (value: string) => (name === 'username' ? value.trim() : value) !== ''
  return (
    <Field label={label} required={common.required} error={fault && (fault.message || accounts.missing[name])} hint={hint}>
      {(slot) => <Control {...slot} {...form.register(name, { validate: isEntered })} {...input} />}
    </Field>
  )
}
