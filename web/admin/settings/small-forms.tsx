import { useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { changeAddress, changePassphrase, changeTimeZone, leastPassphrase, type Settings } from '#contract/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { InputField } from '../input-field.tsx'
import { useNotices } from '../notices.ts'
import { clockIn, setTimeZone, useAdminTexts, useSettingsTexts, useTimeZone } from '../texts.ts'
import { SettingForm, type SettingProps } from './setting-form.tsx'
import { useSettingCall } from './settings-calls.ts'

export function AddressForm({ setting, ...rest }: SettingProps & { setting: Settings['address'] }) {
  const { address: t } = useSettingsTexts()
  const form = useForm({ defaultValues: { url: setting.value?.url ?? location.origin } })
  const save = useSettingCall((body: { url: string }) => callConfirmed(changeAddress, { body }))
  return (
    <SettingForm {...rest} setting="address" intro={t.intro} form={form} call={save}>
      <InputField
        form={form}
        name="url"
        isMarked
        label={t.label}
        hint={t.hint(location.origin)}
        inputMode="url"
        data-focus-first
      />
      <p className="text-[0.9375rem]">{t.passkeys}</p>
    </SettingForm>
  )
}

export function TimeZoneForm({ setting: _, ...rest }: SettingProps & { setting: Settings['timeZone'] }) {
  const { timeZone: t } = useSettingsTexts()
  const present = useTimeZone()
  const form = useForm({ defaultValues: { timeZone: present } })
  const save = useSettingCall(async (body: { timeZone: string }) => {
    const answer = await callConfirmed(changeTimeZone, { body })
    setTimeZone(body.timeZone)
    return answer
  })
  const chosen = useWatch({ control: form.control, name: 'timeZone' })
  const zones = [...new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')])].toSorted()
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <SettingForm {...rest} setting="timeZone" intro={t.intro} form={form} call={save}>
      <Field label={t.label} hint={t.now(clockIn(chosen))} error={form.formState.errors.timeZone?.message}>
        {(slot) => (
          <Select {...slot} {...form.register('timeZone')} data-focus-first>
            {zones.map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </Select>
        )}
      </Field>
      {here !== chosen && zones.includes(here) && (
        <Button className="justify-self-start" onClick={() => form.setValue('timeZone', here, { shouldDirty: true })}>
          {t.here(here)}
        </Button>
      )}
    </SettingForm>
  )
}

// 32, without those that look alike.
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

/** Four groups of five, 100 bits. */
function newPassphrase() {
  const random = crypto.getRandomValues(new Uint8Array(20))
  return Array.from(random, (byte) => letters[byte % 32])
    .join('')
    .replace(/.{5}(?!$)/g, '$&-')
}

/** The passphrase is shown here and never again. */
export function PassphraseForm({ setting, ...rest }: SettingProps & { setting: Settings['passphrase'] }) {
  const { common } = useAdminTexts()
  const { passphrase: t } = useSettingsTexts()
  const notices = useNotices()
  // One that cannot be read any more is typed again: a new one opens no backup made so far.
  const { isLost } = setting
  const hint = isLost ? t.again : t.hint
  const [suggested] = useState(() => (isLost ? '' : newPassphrase()))
  const form = useForm({ defaultValues: { passphrase: suggested, kept: false } })
  const { errors } = form.formState
  const save = useSettingCall(({ passphrase }: { passphrase: string; kept: boolean }) =>
    callConfirmed(changePassphrase, { body: { passphrase } }),
  )
  const place = useRef<HTMLDivElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(form.getValues('passphrase'))
      notices.done(t.copied)
    } catch {
      // There is no clipboard without https, or it is forbidden.
      place.current?.querySelector('input')?.select()
      notices.fail(t.copyFailed)
    }
  }
  return (
    <SettingForm {...rest} setting="passphrase" intro={t.intro} form={form} call={save}>
      <div ref={place}>
        <InputField
          form={form}
          name="passphrase"
          isMarked
          isValid={(typed) => typed.length >= leastPassphrase}
          label={t.label}
          hint={hint}
          missing={hint}
          autoComplete="off"
          className="font-mono"
          data-focus-first
        />
        {!isLost && (
          <Button className="mt-3" onClick={() => void copy()}>
            {t.copy}
          </Button>
        )}
      </div>
      <p className="border-l-4 border-brass bg-brass/10 px-4 py-3">{t.once}</p>
      <Checkbox
        label={t.kept}
        {...(errors.kept && { hint: common.fillAll, 'aria-invalid': true })}
        {...form.register('kept', { required: true })}
      />
    </SettingForm>
  )
}
