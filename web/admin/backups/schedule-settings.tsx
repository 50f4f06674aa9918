import { useForm, useWatch } from 'react-hook-form'
import { type BackupSettings, type BackupStatus, changeBackupSettings, keepLimits } from '#contract/backup-status.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { FormDialog, useSentForm } from '../form-dialog.tsx'
import { useBackupTexts } from '../texts.ts'
import { useBackupCall } from './backup-calls.ts'

type Props = Pick<BackupStatus, 'settings' | 'timeZone'> & { onClose(): void }

/** When nightly backups are made, and how many are kept. */
export function ScheduleSettings({ settings, timeZone, onClose }: Props) {
  const { schedule: t } = useBackupTexts()
  const change = useBackupCall((body: BackupSettings) => callConfirmed(changeBackupSettings, { body }))
  const form = useForm<BackupSettings>({ defaultValues: settings })
  const { register, handleSubmit, control, formState } = form
  const isOn = useWatch({ control, name: 'nightly' })
  const { errors } = formState
  const { failure, send } = useSentForm(form, change, { done: t.done, failed: t.failed, onClose })
  return (
    <FormDialog
      title={t.title}
      description={t.text}
      submitLabel={change.isPending ? t.saving : t.save}
      busy={change.isPending}
      failure={failure}
      onSubmit={handleSubmit(send)}
      onClose={onClose}
    >
      <Checkbox label={t.nightly} hint={t.nightlyHint} {...register('nightly')} />
      <Field
        label={t.at}
        hint={t.atHint(clockIn(timeZone))}
        error={errors.at && (errors.at.message || t.notATime)}
        className={isOn ? '' : 'opacity-60'}
      >
        {(slot) => <Input type="time" {...slot} {...register('at', { required: true })} className="w-40 font-mono" />}
      </Field>
      <fieldset aria-describedby="keep-hint">
        <legend className="font-display text-lg">{t.keep}</legend>
        <p id="keep-hint" className="mt-1 text-sm text-(--quiet)">
          {t.keepHint}
        </p>
        <div className="mt-4 grid gap-x-3 gap-y-4 sm:grid-cols-3">
          {(['daily', 'weekly', 'monthly'] as const).map((each) => {
            const [least, most] = keepLimits[each]
            const isWithin = (entered: number) => Number.isInteger(entered) && entered >= least && entered <= most
            const fault = errors.keep?.[each]
            return (
              <Field key={each} label={t[each]} error={fault && (fault.message || t.between(least, most))}>
                {(slot) => (
                  <Input
                    type="number"
                    inputMode="numeric"
                    min={least}
                    max={most}
                    {...slot}
                    {...register(`keep.${each}`, { valueAsNumber: true, validate: isWithin })}
                    className="font-mono"
                  />
                )}
              </Field>
            )
          })}
        </div>
      </fieldset>
    </FormDialog>
  )
}

/** `03:05`, by the clock of the workshop, which may be another one than this browser's. */
const clockIn = (timeZone: string) => new Date().toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' })
