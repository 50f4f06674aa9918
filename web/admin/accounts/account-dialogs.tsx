import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type AdminUser, changePassword, changeRole, createAdmin, type Role, roles } from '#contract/accounts.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { type LinkNeed, readLinkNeeds, removeAddress, setAddress } from '#contract/recovery.ts'
import type { SettingName } from '#contract/settings.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { useChange } from '../changes.ts'
import { Asked, ConfirmCall } from '../confirm-call.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { FormDialog, useSentForm } from '../form-dialog.tsx'
import { InputField } from '../input-field.tsx'
import { useNotices } from '../notices.ts'
import { useIsOwner } from '../session.ts'
import { openSettings } from '../settings/settings-calls.ts'
import { useAdminTexts, useSettingsTexts } from '../texts.ts'
import { adminsQuery, changedWithAccounts, useOwnAccount } from './account-calls.ts'
import { NewPasswordField } from './new-password-field.tsx'

export function CreateAdmin({ onClose }: { onClose(): void }) {
  const { accounts: t, common } = useAdminTexts()
  const create = useChange(
    (body: { username: string; password: string; role: Role }) => callConfirmed(createAdmin, { body }),
    changedWithAccounts,
  )
  const form = useForm({ defaultValues: { username: '', password: '', role: 'owner' as Role } })
  const sent = useSentForm(form, create, { done: t.createDone, failed: t.createFailed, missing: common.fillAll, onClose })
  return (
    <FormDialog
      title={t.create}
      description={t.createText}
      submitLabel={sent.busy ? t.creating : t.create}
      {...sent}
      onClose={onClose}
    >
      <InputField
        form={form}
        name="username"
        isMarked
        label={t.username}
        missing={t.missing.username}
        placeholder={t.usernamePlaceholder}
        autoComplete="off"
      />
      <NewPasswordField
        form={form}
        name="password"
        isMarked
        label={t.password}
        missing={t.missing.password}
        placeholder={t.passwordPlaceholder}
        username={form.watch('username')}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-medium">{t.roles.label}</legend>
        {roles.map((role) => (
          <RadioCard key={role} label={t.roles.names[role]} hint={t.roles.may[role]} value={role} {...form.register('role')} />
        ))}
      </fieldset>
    </FormDialog>
  )
}

/** Makes a helper of an owner, and an owner of a helper. */
export function ChangeRole({ admin: { id, username, role }, onClose }: { admin: AdminUser; onClose(): void }) {
  const { roles: t } = useAdminTexts().accounts
  const next: Role = role === 'owner' ? 'helper' : 'owner'
  const change = useChange(() => callConfirmed(changeRole, { params: { id }, body: { role: next } }), changedWithAccounts)
  return (
    <ConfirmCall
      call={change}
      input={undefined}
      title={t.change[next]}
      text={t.may[next]}
      action={t.change[next]}
      busy={t.changing}
      failed={t.changeFailed}
      inServersWords
      onDone={() => t.changed[next](username)}
      onClose={onClose}
    >
      <Asked>{username}</Asked>
    </ConfirmCall>
  )
}

export function ChangePassword({ onClose }: { onClose(): void }) {
  const { accounts: t, common } = useAdminTexts()
  const change = useChange(
    (body: InputOf<typeof changePassword>['body']) => call(changePassword, { body }),
    changedWithAccounts,
  )
  const form = useForm({ defaultValues: { currentPassword: '', newPassword: '' } })
  const sent = useSentForm(form, change, { done: t.changeDone, failed: t.changeFailed, missing: common.fillAll, onClose })
  return (
    <FormDialog
      title={t.changeTitle}
      description={t.changeText}
      submitLabel={sent.busy ? t.changing : t.change}
      {...sent}
      onClose={onClose}
    >
      <InputField
        form={form}
        name="currentPassword"
        type="password"
        isMarked
        label={t.currentPassword}
        missing={t.missing.currentPassword}
        placeholder={t.currentPlaceholder}
        autoComplete="current-password"
      />
      <NewPasswordField
        form={form}
        name="newPassword"
        isMarked
        label={t.newPassword}
        missing={t.missing.newPassword}
        placeholder={t.newPlaceholder}
        username={useOwnAccount()?.username}
      />
    </FormDialog>
  )
}

const settingOf = { mail: 'mail', publicUrl: 'address' } as const satisfies Record<LinkNeed, SettingName>

export function AddressDialog({ onClose }: { onClose(): void }) {
  const { recovery } = useAdminTexts()
  const t = recovery.own
  const settings = useSettingsTexts()
  const isOwner = useIsOwner()
  const notices = useNotices()
  // Taken for there until the answer comes: otherwise the field could not have the focus.
  const { missing } = useQuery({ queryKey: [readLinkNeeds.path], queryFn: () => call(readLinkNeeds) }).data ?? { missing: [] }
  // The link may have been opened in another tab.
  useQuery({ ...adminsQuery, refetchOnMount: 'always' })
  const { email, unconfirmedEmail } = useOwnAccount() ?? {}
  const form = useForm({ defaultValues: { email: unconfirmedEmail ?? email ?? '' } })
  const add = useChange((body: { email: string }) => callConfirmed(setAddress, { body }), changedWithAccounts)
  const remove = useChange((_: undefined) => callConfirmed(removeAddress), changedWithAccounts)
  const typed = form.watch('email').trim()
  const sent = useSentForm(form, add, { done: t.sent(typed), failed: t.failed, onClose })
  const takeAway = async () => {
    if (!(await notices.attempt(remove.mutateAsync(undefined), t.removeFailed))) return
    notices.done(t.removed)
    onClose()
  }
  const busy = add.isPending || remove.isPending
  return (
    <FormDialog
      title={t.title}
      description={t.text}
      submitLabel={missing.length > 0 ? undefined : add.isPending ? t.sending : typed === unconfirmedEmail ? t.again : t.send}
      {...sent}
      busy={busy}
      note={
        (email || unconfirmedEmail) && (
          <Button tone="quiet" className="mr-auto text-oxide" disabled={busy} onClick={() => void takeAway()}>
            {t.remove}
          </Button>
        )
      }
      onClose={onClose}
    >
      {missing.length > 0 ? (
        <div>
          <p>{t.needs}</p>
          <ul className="mt-2 list-disc pl-5">
            {missing.map((need) => (
              <li key={need}>{settings[settingOf[need]].name}</li>
            ))}
          </ul>
          {isOwner && (
            <Button className="mt-4" onClick={() => openSettings(settingOf[missing[0] ?? 'mail'])}>
              {settings.title}
            </Button>
          )}
        </div>
      ) : (
        <>
          {unconfirmedEmail && (
            <p className="border-l-4 border-brass bg-brass/10 px-4 py-3 wrap-anywhere">{t.sent(unconfirmedEmail)}</p>
          )}
          <InputField form={form} name="email" type="email" isMarked label={t.email} autoComplete="email" data-focus-first />
        </>
      )}
    </FormDialog>
  )
}
