import { useForm, useWatch } from 'react-hook-form'
import { type BackupSettings, changeBackupSettings, keepLimits } from '#contract/backup-status.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { FormDialog, useSentForm } from '../form-dialog.tsx'
import { InputField } from '../input-field.tsx'
import { clockIn, useBackupTexts, useTimeZone } from '../texts.ts'
import { useBackupCall } from './backup-calls.ts'

type Props = { settings: BackupSettings; onClose(): void }

/** When nightly backups are made, and how many are kept. */
export function ScheduleSettings({ settings, onClose }: Props) {
  const { schedule: t } = useBackupTexts()
  const change = useBackupCall((body: BackupSettings) => callConfirmed(changeBackupSettings, { body }))
  const form = useForm<BackupSettings>({ defaultValues: settings })
  const { register, control } = form
  const isOn = useWatch({ control, name: 'nightly' })
  const sent = useSentForm(form, change, { done: t.done, failed: t.failed, onClose })
  return (
    <FormDialog title={t.title} description={t.text} submitLabel={sent.busy ? t.saving : t.save} {...sent} onClose={onClose}>
      <Checkbox label={t.nightly} hint={t.nightlyHint} {...register('nightly')} />
      <div className={isOn ? '' : 'opacity-60'}>
        <InputField
          form={form}
          name="at"
          label={t.at}
          hint={t.atHint(clockIn(useTimeZone()))}
          missing={t.notATime}
          type="time"
          className="w-40 font-mono"
        />
      </div>
      <fieldset aria-describedby="keep-hint">
        <legend className="font-display text-lg">{t.keep}</legend>
        <p id="keep-hint" className="mt-1 text-sm text-(--quiet)">
          {t.keepHint}
        </p>
        <div className="mt-4 grid gap-x-3 gap-y-4 sm:grid-cols-3">
          {(['daily', 'weekly', 'monthly'] as const).map((each) => {
            const [least, most] = keepLimits[each]
            return (
              <InputField
                key={each}
                form={form}
                name={`keep.${each}`}
                isValid={(entered) => Number.isInteger(entered) && entered >= least && entered <= most}
                label={t[each]}
                missing={t.between(least, most)}
                type="number"
                inputMode="numeric"
                min={least}
                max={most}
                className="font-mono"
              />
            )
          })}
        </div>
      </fieldset>
    </FormDialog>
  )
}
