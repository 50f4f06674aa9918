import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type LinkNeed, readLinkNeeds, removeAddress, setAddress } from '#contract/recovery.ts'
import type { SettingName } from '#contract/settings.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { useChange } from '../changes.ts'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { FormDialog, useSentForm } from '../form-dialog.tsx'
import { useNotices } from '../notices.ts'
import { useIsOwner } from '../session.ts'
import { openSettings } from '../settings/settings-calls.ts'
import { useAdminTexts, useSettingsTexts } from '../texts.ts'
import { adminsQuery, changedWithAccounts, useOwnAccount } from './account-calls.ts'

const settingOf = { mail: 'mail', publicUrl: 'address' } as const satisfies Record<LinkNeed, SettingName>

/** The email address of the own account. */
export function AddressDialog({ onClose }: { onClose(): void }) {
  const { common, recovery } = useAdminTexts()
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
  const send = useChange((body: { email: string }) => callConfirmed(setAddress, { body }), changedWithAccounts)
  const remove = useChange((_: undefined) => callConfirmed(removeAddress), changedWithAccounts)
  const typed = form.watch('email').trim()
  const sent = useSentForm(form, send, { done: t.sent(typed), failed: t.failed, onClose })
  const { email: fault } = form.formState.errors
  const takeAway = async () => {
    if (!(await notices.attempt(remove.mutateAsync(undefined), t.removeFailed))) return
    notices.done(t.removed)
    onClose()
  }
  const busy = send.isPending || remove.isPending
  const submitLabel = send.isPending ? t.sending : unconfirmedEmail && typed === unconfirmedEmail ? t.again : t.send
  return (
    <FormDialog
      title={t.title}
      description={t.text}
      submitLabel={submitLabel}
      busy={busy}
      failure={sent.failure}
      note={
        (email || unconfirmedEmail) && (
          <Button tone="quiet" size="small" className="mr-auto text-oxide" disabled={busy} onClick={() => void takeAway()}>
            {t.remove}
          </Button>
        )
      }
      {...(missing.length > 0 && { buttons: <></> })}
      onSubmit={form.handleSubmit(sent.send)}
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
            <Button size="small" className="mt-4" onClick={() => openSettings(settingOf[missing[0] ?? 'mail'])}>
              {settings.title}
            </Button>
          )}
        </div>
      ) : (
        <>
          {unconfirmedEmail && (
            <p className="border-l-4 border-brass bg-brass/10 px-4 py-3 wrap-anywhere">{t.sent(unconfirmedEmail)}</p>
          )}
          <Field label={t.email} required={common.required} error={fault && (fault.message || common.fillAll)}>
            {(slot) => (
              <Input
                {...slot}
                {...form.register('email', { validate: (value) => value.trim() !== '' })}
                type="email"
                autoComplete="email"
                autoCapitalize="none"
                spellCheck={false}
                data-focus-first
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
