import { useForm, useWatch } from 'react-hook-form'
import { changeOffsite, type OffsiteChange, type Settings } from '#contract/settings.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field, Input, Select } from '../../ui/field.tsx'
import { PasswordInput } from '../accounts/account-field.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { dateIn, useAdminTexts, useSettingsTexts } from '../texts.ts'
import { SettingForm, type SettingProps } from './setting-form.tsx'
import { useSettingCall } from './settings-calls.ts'

const unset = {
  kind: 'folder' as OffsiteChange['kind'],
  folder: '',
  ...{ endpoint: '', region: 'us-east-1', bucket: '', prefix: '', pathStyle: false, accessKeyId: '', secretAccessKey: '' },
}
type Values = typeof unset

function changeOf({ kind, folder, ...bucket }: Values): OffsiteChange {
  return kind === 'folder' ? { kind, folder } : { kind, ...bucket }
}

/** Where copies of backups go. */
export function OffsiteForm({ setting, ...rest }: SettingProps & { setting: Settings['offsite'] }) {
  const admin = useAdminTexts()
  const all = useSettingsTexts()
  const t = all.offsite
  const form = useForm<Values>({ defaultValues: { ...unset, ...setting.value } })
  const { register, control, formState } = form
  const save = useSettingCall((values: Values) => callConfirmed(changeOffsite, { body: changeOf(values) }))
  const kind = useWatch({ control, name: 'kind' })
  const text = (name: Exclude<keyof Values, 'kind' | 'pathStyle'>, label: string, hint?: string, isRequired = true) => {
    const fault = formState.errors[name]
    const isSecret = name === 'secretAccessKey'
    const Control = isSecret ? PasswordInput : Input
    return (
      <Field
        label={label}
        hint={hint}
        error={fault && (fault.message || admin.common.fillAll)}
        {...(isRequired && { required: admin.common.required })}
      >
        {(slot) => (
          <Control
            {...slot}
            {...register(name, { required: isRequired })}
            autoComplete={isSecret ? 'new-password' : 'off'}
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
    )
  }
  const keptSince = setting.secretSetAt ? all.keptSince(dateIn(admin, setting.secretSetAt)) : undefined
  return (
    <SettingForm {...rest} setting="offsite" intro={t.intro} form={form} call={save} save={t.save} saving={t.saving}>
      <Field label={t.kind}>
        {(slot) => (
          <Select {...slot} {...register('kind')} data-focus-first>
            <option value="folder">{t.kindFolder}</option>
            <option value="bucket">{t.kindBucket}</option>
          </Select>
        )}
      </Field>
      {kind === 'folder' ? (
        text('folder', t.folderLabel, t.folderHint)
      ) : (
        <>
          {text('endpoint', t.endpoint, t.endpointHint, false)}
          {text('region', t.region)}
          {text('bucket', t.bucketLabel)}
          {text('prefix', t.prefix, t.prefixHint, false)}
          {text('accessKeyId', t.accessKeyId)}
          {text('secretAccessKey', t.secretAccessKey, keptSince, !keptSince)}
          <Checkbox label={t.pathStyle} hint={t.pathStyleHint} {...register('pathStyle')} />
        </>
      )}
    </SettingForm>
  )
}
