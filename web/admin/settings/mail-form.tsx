import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { mailAddressIn } from '#contract/mails.ts'
import { changeMail, type MailChange, type MailTested, type Settings, tryMail } from '#contract/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { ActionError } from '../action-error.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { useSentForm } from '../form-dialog.tsx'
import { InputField } from '../input-field.tsx'
import { useNotices } from '../notices.ts'
import { dateIn, useAdminTexts, useSettingsTexts } from '../texts.ts'
import { SettingForm, type SettingProps } from './setting-forms.tsx'
import { useSettingCall } from './settings-calls.ts'

/** Those that makers have. `appPassword`: the password of the account itself is refused. */
const providers = [
  { name: 'Gmail', host: 'smtp.gmail.com', port: 465, appPassword: true },
  { name: 'Outlook, Microsoft 365', host: 'smtp.office365.com', port: 587, appPassword: false },
  { name: 'iCloud', host: 'smtp.mail.me.com', port: 587, appPassword: true },
  { name: 'Yahoo', host: 'smtp.mail.yahoo.com', port: 465, appPassword: true },
  { name: 'Zoho', host: 'smtp.zoho.com', port: 465, appPassword: true },
  { name: 'Fastmail', host: 'smtp.fastmail.com', port: 465, appPassword: true },
] as const

/** Undefined for any other server, and for other ports of these. */
function providerOf({ host, port, secure }: MailChange) {
  return providers.find((each) => each.host === host && each.port === port && (each.port === usualPorts.true) === secure)
}

/** With TLS from the start, and without. */
const usualPorts = { true: 465, false: 587 } as const

const [first] = providers
const unset = { host: first.host, port: first.port, secure: true, user: '', from: '', to: '' } as const

/** Where emails are handed over, and who gets those about messages. */
export function MailForm({ setting, ...rest }: SettingProps & { setting: Settings['mail'] }) {
  const admin = useAdminTexts()
  const all = useSettingsTexts()
  const t = all.mail
  const notices = useNotices()
  const form = useForm<MailChange>({ defaultValues: { ...unset, ...setting.value, password: '' } })
  const { control, setValue } = form
  const save = useSettingCall((body: MailChange) => callConfirmed(changeMail, { body }))
  const test = useSettingCall((body: MailChange) => callConfirmed(tryMail, { body }))
  const tried = useSentForm(form, test, { failed: t.testFailed, onClose: ({ to }) => notices.done(t.tested(to)) })
  const [secure, port] = useWatch({ control, name: ['secure', 'port'] })
  const [provider, setProvider] = useState(() => providerOf(form.getValues()))
  const fill = (name: string) => {
    const chosen = providers.find((each) => each.name === name)
    setProvider(chosen)
    setValue('host', chosen?.host ?? '', { shouldDirty: true })
    setValue('port', chosen?.port ?? 465)
    setValue('secure', chosen?.port !== 587)
  }
  const choosePort = (isSecure: boolean) => {
    setValue('secure', isSecure, { shouldDirty: true })
    if (port === usualPorts[`${!isSecure}`]) setValue('port', usualPorts[`${isSecure}`])
  }
  /** Most makers send from the address they sign in with, and read there. */
  const follow = () => {
    const { user, from, to } = form.getValues()
    if (!mailAddressIn(user)) return
    if (!from) setValue('from', user)
    if (!to) setValue('to', user)
  }
  return (
    <SettingForm
      {...rest}
      setting="mail"
      form={form}
      call={save}
      status={
        (tried.failure || test.data) && (
          <div className="border-t border-(--line) px-5 py-3 sm:px-8">
            <TestAnswer sent={test.data} refused={tried.failure} />
          </div>
        )
      }
      note={
        <Button aria-disabled={test.isPending} onClick={(event) => !test.isPending && void tried.onSubmit(event)}>
          {test.isPending ? t.testing : t.test}
        </Button>
      }
    >
      {/* What a test has found is about the values it was made with. */}
      <div className="contents" onChange={test.reset}>
        <Field label={t.provider} {...(provider?.appPassword && { hint: t.appPassword })}>
          {(slot) => (
            <Select
              {...slot}
              value={provider?.name ?? ''}
              onChange={(event) => fill(event.currentTarget.value)}
              data-focus-first
            >
              {providers.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
              <option value="">{t.otherProvider}</option>
            </Select>
          )}
        </Field>
        {!provider && (
          <>
            <div className="grid gap-x-3 gap-y-6 sm:grid-cols-[1fr_7rem]">
              <InputField form={form} name="host" isMarked label={t.host} placeholder="smtp.example.com" />
              <InputField
                form={form}
                name="port"
                isMarked
                label={t.port}
                type="number"
                inputMode="numeric"
                className="font-mono"
              />
            </div>
            <Field label={t.secure}>
              {(slot) => (
                <Select {...slot} value={String(secure)} onChange={(event) => choosePort(event.currentTarget.value === 'true')}>
                  <option value="true">{t.secureFromStart}</option>
                  <option value="false">{t.secureLater}</option>
                </Select>
              )}
            </Field>
          </>
        )}
        <InputField form={form} name="user" isOptional label={t.user} hint={t.userHint} autoComplete="off" onBlur={follow} />
        <InputField
          form={form}
          name="password"
          isOptional
          label={t.password}
          hint={setting.secretSetAt && all.keptSince(dateIn(admin, setting.secretSetAt))}
          type="password"
          autoComplete="new-password"
        />
        <InputField form={form} name="from" isMarked label={t.from} hint={t.fromHint} />
        <InputField form={form} name="to" isMarked label={t.to} hint={t.toHint} />
      </div>
    </SettingForm>
  )
}

/** What became of a test mail. */
export function TestAnswer({ sent, refused }: { sent: MailTested | undefined; refused: string | undefined }) {
  const { mail: t } = useSettingsTexts()
  return (
    <div role="status" className="wrap-anywhere empty:hidden">
      {refused ? (
        <ActionError>{refused}</ActionError>
      ) : (
        sent && (
          <div className="border-l-4 border-verdigris bg-verdigris/10 px-4 py-3 text-[0.9375rem]">
            <p>{t.tested(sent.to)}</p>
            {sent.answer && <p className="mt-1 text-sm text-(--quiet)">{t.answered(sent.answer)}</p>}
          </div>
        )
      )}
    </div>
  )
}
