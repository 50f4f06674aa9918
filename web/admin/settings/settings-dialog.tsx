import { useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { type SettingName, type Settings, sendTestMail, settingNames } from '#contract/settings.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { mailsQuery, useChangeMailSettings } from '../contacts/contact-calls.ts'
import { Dialog, DialogBody } from '../dialog.tsx'
import { ListStates } from '../list.tsx'
import { useNotices } from '../notices.ts'
import { dateIn, useAdminTexts, useSettingsTexts, useTimeZone } from '../texts.ts'
import { MailForm, TestAnswer } from './mail-form.tsx'
import { AddressForm, OffsiteForm, PassphraseForm, type SettingProps, TimeZoneForm } from './setting-forms.tsx'
import { settingsQuery, useSettingCall } from './settings-calls.ts'

const forms: { [Name in SettingName]: ComponentType<SettingProps & { setting: Settings[Name] }> } = {
  mail: MailForm,
  address: AddressForm,
  timeZone: TimeZoneForm,
  offsite: OffsiteForm,
  passphrase: PassphraseForm,
}

const variables: Record<SettingName, string> = {
  mail: 'SMTP_URL, MAIL_FROM, MAIL_TO',
  address: 'PUBLIC_URL',
  timeZone: '',
  offsite: 'OFFSITE_DIR, OFFSITE_S3_…',
  passphrase: 'BACKUP_PASSPHRASE, BACKUP_KEY',
}

/** What the server is set to. `at` gets the focus. */
export function SettingsDialog({ at, onClose }: { at: SettingName | 'all'; onClose(): void }) {
  const t = useSettingsTexts()
  // Another owner may have changed them.
  const query = useQuery({ ...settingsQuery, refetchOnMount: 'always' })
  const [changing, setChanging] = useState<SettingName>()
  const Form = changing && (forms[changing] as ComponentType<SettingProps & { setting: unknown }>)
  return (
    <Dialog onClose={onClose} title={t.title} description={t.text} width="wide">
      <DialogBody className="pt-0">
        <ListStates query={{ ...query, data: query.data && [query.data] }} words={{ ...t, empty: t.failed }}>
          {([settings]) => (
            <ul>
              {settings &&
                settingNames.map((name) => (
                  <Row key={name} name={name} settings={settings} isFirst={name === at} onChange={() => setChanging(name)} />
                ))}
            </ul>
          )}
        </ListStates>
      </DialogBody>
      {Form && query.data && (
        <Form
          setting={query.data[changing]}
          isSet={query.data[changing].source === 'panel'}
          onClose={() => setChanging(undefined)}
        />
      )}
    </Dialog>
  )
}

type RowProps = { name: SettingName; settings: Settings; isFirst: boolean; onChange(): void }

function Row({ name, settings, isFirst, onChange }: RowProps) {
  const t = useSettingsTexts()
  const { source, isLost } = settings[name]
  const isFixed = source === 'environment'
  const says = useStateOf(name, settings)
  const button = useRef<HTMLButtonElement>(null)
  // The rows come after the dialog.
  useEffect(() => {
    if (isFirst) button.current?.focus()
  }, [isFirst])
  return (
    <li className="border-b border-(--line) py-5 last:border-b-0">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-[min(16rem,100%)] flex-1 wrap-anywhere">
          <h3 className="text-xl">{t[name].name}</h3>
          {says && <p className="mt-1 text-[0.9375rem]">{says}</p>}
          {isFixed && <p className="mt-1 text-sm text-(--quiet)">{t.fromEnvironment(variables[name])}</p>}
        </div>
        {!isFixed && (
          <Button
            aria-label={t.changeOf(t[name].name)}
            onClick={onChange}
            ref={button}
            {...(isFirst && { 'data-focus-first': true })}
          >
            {t.change}
          </Button>
        )}
      </div>
      {isLost && (
        <Callout tone="danger" className="mt-3">
          {t.lost}
        </Callout>
      )}
      {name === 'mail' && source && !isLost && <MailRow settings={settings} />}
      {name === 'offsite' && settings.onSameDisk && <Callout className="mt-3">{t.offsite.sameDisk}</Callout>}
    </li>
  )
}

function useStateOf(name: SettingName, settings: Settings): ReactNode {
  const admin = useAdminTexts()
  const t = useSettingsTexts()
  const timeZone = useTimeZone()
  if (settings[name].isLost) return null
  const { mail, address, offsite, passphrase } = settings
  switch (name) {
    case 'mail':
      return mail.value ? t.mail.on(mail.value.to, mail.value.host) : t.mail.off
    case 'address':
      return address.value?.url ?? t.address.off
    case 'timeZone':
      return timeZone
    case 'offsite':
      if (!offsite.value) return t.offsite.off
      if (passphrase.isLost) return t.offsite.paused
      return offsite.value.kind === 'folder' ? t.offsite.folder(offsite.value.folder) : t.offsite.bucket(offsite.value.bucket)
    case 'passphrase':
      if (!passphrase.value) return t.passphrase.off
      return passphrase.secretSetAt ? t.passphrase.on(dateIn(admin, passphrase.secretSetAt)) : t.passphrase.onServer
  }
}

/** What can be done once mail is set up. */
function MailRow({ settings }: { settings: Settings }) {
  const { mail: t } = useSettingsTexts()
  const notices = useNotices()
  const test = useSettingCall((_: undefined) => call(sendTestMail))
  return (
    <div className="mt-3 grid gap-3">
      <Acknowledge />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          icon={Send}
          aria-disabled={test.isPending}
          onClick={() => !test.isPending && test.mutate(undefined)}
          className="aria-disabled:opacity-60"
        >
          {test.isPending ? t.testing : t.test}
        </Button>
        {!settings.mailTestedAt && <p className="text-sm text-(--quiet)">{t.notTested}</p>}
      </div>
      <TestAnswer sent={test.data} refused={notices.lasting(test.error, t.testFailed)} />
    </div>
  )
}

/** Whether visitors get a confirmation. */
function Acknowledge() {
  const t = useSettingsTexts()
  const notices = useNotices()
  const { data: mails } = useQuery(mailsQuery)
  const change = useChangeMailSettings()
  const saved = mails?.settings.acknowledges
  const [chosen, choose] = useState<boolean>()
  if (saved === undefined) return null
  const toggle = async () => {
    if (chosen !== undefined) return
    const acknowledges = !saved
    choose(acknowledges)
    if (await notices.attempt(change.mutateAsync({ acknowledges }), t.acknowledgeFailed))
      notices.done(acknowledges ? t.acknowledges : t.acknowledgesNot)
    choose(undefined)
  }
  return (
    <Checkbox
      label={t.acknowledge}
      hint={t.acknowledgeHint}
      checked={chosen ?? saved}
      aria-disabled={chosen !== undefined}
      onChange={() => void toggle()}
    />
  )
}
