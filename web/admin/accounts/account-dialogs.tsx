import type { UseMutationResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { type DefaultValues, type FieldError, get, type Path, type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { type AdminUser, type Role, roles } from '#contract/accounts.ts'
import { Field, Input } from '../../ui/field.tsx'
import { Asked, ConfirmCall } from '../confirm-call.tsx'
import { FormDialog, useSentForm } from '../form-dialog.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { useChangePassword, useChangeRole, useCreateAdmin, useOwnAccount } from './account-calls.ts'
import { PasswordAdvice, PasswordInput } from './password-input.tsx'

export function CreateAdmin({ onClose }: { onClose(): void }) {
  const t = useAdminTexts().accounts
  const create = useCreateAdmin()
  const words = { done: t.createDone, failed: t.createFailed }
  const { form, failure, submit } = useAccountForm({ username: '', password: '', role: 'owner' as Role }, create, {
    ...words,
    onClose,
  })
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
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-medium">{t.roles.label}</legend>
        {roles.map((role) => (
          <label
            key={role}
            className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-3 border border-(--line) bg-(--raised) px-4 py-3 has-checked:border-brass-deep has-checked:shadow-[inset_4px_0_0_var(--color-brass)]"
          >
            <input
              type="radio"
              value={role}
              aria-describedby={`role-${role}`}
              {...form.register('role')}
              className="mt-0.5 size-5 accent-(--color-brass-deep)"
            />
            <span className="font-medium">{t.roles.names[role]}</span>
            <span id={`role-${role}`} className="col-start-2 text-sm text-(--quiet)">
              {t.roles.may[role]}
            </span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  )
}

/** Makes a helper of an owner, and an owner of a helper. */
export function ChangeRole({ admin: { id, username, role }, onClose }: { admin: AdminUser; onClose(): void }) {
  const { roles: t } = useAdminTexts().accounts
  const notices = useNotices()
  const next: Role = role === 'owner' ? 'helper' : 'owner'
  return (
    <ConfirmCall
      call={useChangeRole()}
      input={{ id, role: next }}
      title={t.change[next]}
      text={t.may[next]}
      action={t.change[next]}
      busy={t.changing}
      failed={t.changeFailed}
      inServersWords
      onDone={() => notices.done(t.changed[next](username))}
      onClose={onClose}
    >
      <Asked>{username}</Asked>
    </ConfirmCall>
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
