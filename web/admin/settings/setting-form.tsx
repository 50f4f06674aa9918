import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { removeSetting, type SettingName } from '#contract/settings.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmCall } from '../confirm-call.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { FormDialog, useSentForm } from '../form-dialog.tsx'
import { useNotices } from '../notices.ts'
import { useSettingsTexts } from '../texts.ts'
import { useSettingCall } from './settings-calls.ts'

/** What each form of a setting is given. */
export type SettingProps = { isSet: boolean; onClose(): void }

type Props<Values extends FieldValues> = SettingProps & {
  setting: SettingName
  intro: string
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
  const notices = useNotices()
  const { name } = t[setting]
  const { intro, save = t.save, saving = t.saving, note, status, children } = rest
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
            notices.done(t.removed(name))
            onClose()
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </FormDialog>
  )
}
