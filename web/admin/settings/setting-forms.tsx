import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { type FieldValues, type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import {
  changeAddress,
  changeOffsite,
  changePassphrase,
  changeTimeZone,
  leastPassphrase,
  type OffsiteChange,
  removeSetting,
  type SettingName,
  type Settings,
} from '#contract/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { ConfirmCall } from '../confirm-call.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { FormDialog, useSentForm } from '../form-dialog.tsx'
import { InputField } from '../input-field.tsx'
import { useNotices } from '../notices.ts'
import { clockIn, dateIn, setTimeZone, useAdminTexts, useSettingsTexts, useTimeZone } from '../texts.ts'
import { useSettingCall } from './settings-calls.ts'

/** What each form of a setting is given. */
export type SettingProps = { isSet: boolean; onClose(): void }

type Props<Values extends FieldValues> = SettingProps & {
  setting: SettingName
  form: UseFormReturn<Values>
  call: UseMutationResult<unknown, Error, Values>
  /** The labels of the button, before and while it runs. */
  save?: string
  saving?: string
  /** Beside the buttons. */
  note?: ReactNode
  /** Above the buttons, unless saving has failed. */
  status?: ReactNode
  children: ReactNode
}

/** The form of one setting, with the button that turns it off. */
export function SettingForm<Values extends FieldValues>({ setting, form, call, isSet, onClose, ...rest }: Props<Values>) {
  const t = useSettingsTexts()
  const { name, intro } = t[setting]
  const { save = t.save, saving = t.saving, note, status, children } = rest
  const { failure, ...sent } = useSentForm(form, call, { done: t.saved(name), failed: t.saveFailed, onClose })
  const remove = useSettingCall((which: SettingName) => callConfirmed(removeSetting, { params: { name: which } }))
  const removeText = isSet && setting !== 'timeZone' && t.removeTexts[setting]
  const [removing, setRemoving] = useState(false)
  return (
    <FormDialog
      title={name}
      description={intro}
      submitLabel={call.isPending ? saving : save}
      {...sent}
      {...(failure ? { failure } : { status })}
      isDirty={() => form.formState.isDirty}
      note={
        <>
          {removeText && (
            <Button tone="quiet" className="mr-auto text-oxide" onClick={() => setRemoving(true)}>
              {t.remove}
            </Button>
          )}
          {note}
        </>
      }
      onClose={onClose}
    >
      {children}
      {removing && removeText && (
        <ConfirmCall
          call={remove}
          input={setting}
          title={t.removeTitle(name)}
          text={removeText}
          action={t.remove}
          busy={t.saving}
          failed={t.removeFailed}
          onDone={() => {
            onClose()
            return t.removed(name)
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </FormDialog>
  )
}

export function AddressForm({ setting, ...rest }: SettingProps & { setting: Settings['address'] }) {
  const { address: t } = useSettingsTexts()
  const form = useForm({ defaultValues: { url: setting.value?.url ?? location.origin } })
  const save = useSettingCall((body: { url: string }) => callConfirmed(changeAddress, { body }))
  return (
    <SettingForm {...rest} setting="address" form={form} call={save}>
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
    <SettingForm {...rest} setting="timeZone" form={form} call={save}>
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
    <SettingForm {...rest} setting="passphrase" form={form} call={save}>
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

const unset = {
  kind: 'folder' as OffsiteChange['kind'],
  folder: '',
  ...{ endpoint: '', region: 'us-east-1', bucket: '', prefix: '', pathStyle: false, accessKeyId: '', secretAccessKey: '' },
}
type Values = typeof unset

/** Where copies of backups go. */
export function OffsiteForm({ setting, ...rest }: SettingProps & { setting: Settings['offsite'] }) {
  const admin = useAdminTexts()
  const all = useSettingsTexts()
  const t = all.offsite
  const form = useForm<Values>({ defaultValues: { ...unset, ...setting.value } })
  const { register, control } = form
  const save = useSettingCall(({ kind, folder, ...bucket }: Values) =>
    callConfirmed(changeOffsite, { body: kind === 'folder' ? { kind, folder } : { kind, ...bucket } }),
  )
  const kind = useWatch({ control, name: 'kind' })
  const plain = { form, autoComplete: 'off' }
  const needed = { ...plain, isMarked: true }
  const keptSince = setting.secretSetAt ? all.keptSince(dateIn(admin, setting.secretSetAt)) : undefined
  return (
    <SettingForm {...rest} setting="offsite" form={form} call={save} save={t.save} saving={t.saving}>
      <Field label={t.kind}>
        {(slot) => (
          <Select {...slot} {...register('kind')} data-focus-first>
            <option value="folder">{t.kindFolder}</option>
            <option value="bucket">{t.kindBucket}</option>
          </Select>
        )}
      </Field>
      {kind === 'folder' ? (
        <InputField {...needed} name="folder" label={t.folderLabel} hint={t.folderHint} />
      ) : (
        <>
          <InputField {...plain} name="endpoint" isOptional label={t.endpoint} hint={t.endpointHint} />
          <InputField {...needed} name="region" label={t.region} />
          <InputField {...needed} name="bucket" label={t.bucketLabel} />
          <InputField {...plain} name="prefix" isOptional label={t.prefix} hint={t.prefixHint} />
          <InputField {...needed} name="accessKeyId" label={t.accessKeyId} />
          <InputField
            form={form}
            name="secretAccessKey"
            isOptional={keptSince !== undefined}
            isMarked={keptSince === undefined}
            label={t.secretAccessKey}
            hint={keptSince}
            type="password"
            autoComplete="new-password"
          />
          <Checkbox label={t.pathStyle} hint={t.pathStyleHint} {...register('pathStyle')} />
        </>
      )}
    </SettingForm>
  )
}
