import { useForm, useWatch } from 'react-hook-form'
import { changeOffsite, type OffsiteChange, type Settings } from '#contract/settings.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { InputField } from '../input-field.tsx'
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
  const { register, control } = form
  const save = useSettingCall((values: Values) => callConfirmed(changeOffsite, { body: changeOf(values) }))
  const kind = useWatch({ control, name: 'kind' })
  const plain = { form, autoComplete: 'off' }
  const needed = { ...plain, isMarked: true }
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
