import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { Field, Textarea } from '../../../ui/field.tsx'
import { useNotices } from '../../notices.ts'
import { useAdminTexts, useBackupTexts } from '../../texts.ts'
import { useDebounced } from '../../use-debounced.ts'
import { sizeIn } from '../backup-texts.ts'
import { FileDrop } from '../file-drop.tsx'
import { asExport, isJson, isShownAsText } from './import-file.rules.ts'
import type { MergePartProps } from './later-merge.tsx'
import { MergeForm } from './merge-form.tsx'
import { useMergeDialog } from './use-merge-dialog.ts'

/** A text, and the file it is of until somebody changes it. Of one that is not shown there is no text. */
type Draft = { text: string; file?: File }

/** Imports an export that is pasted, chosen or dropped. */
export function ImportPart({ onClose, hold }: MergePartProps) {
  const { import: t, restore } = useBackupTexts()
  const { locale } = useAdminTexts()
  const notices = useNotices()
  const dialog = useMergeDialog({
    mode: 'import',
    done: ({ imported: { projects, contacts } }) => t.done(projects, contacts),
    failed: t.failed,
    onClose,
    hold,
  })
  const { merge, begin, apply, isBusy } = dialog
  const [draft, setDraft] = useState<Draft>({ text: '' })
  const [fault, setFault] = useState<string>()
  const hidden = hiddenFile(draft)

  const write = (next: Draft) => {
    setDraft(next)
    setFault(undefined)
    merge.forget()
  }
  const refuse = (sentence: string) => {
    setFault(sentence)
    notices.fail(sentence)
  }
  const look = (given: Draft) => {
    const { text, file } = given
    if (!hiddenFile(given) && !isJson(text)) return refuse(t.invalid)
    if (file) return begin({ file: asExport(file, t.pastedName) })
    begin({ file: new File([text], t.pastedName, { type: 'application/json' }), isPasted: true })
  }
  const take = async (file: File) => {
    try {
      const taken = { text: isShownAsText(file) ? await file.text() : '', file }
      write(taken)
      look(taken)
    } catch {
      refuse(restore.uploadFailed)
    }
  }
  // Somebody who has stopped typing wants to know what it would do; what is not whole yet is no fault.
  const settled = useDebounced(draft, 700)
  const lookBySelf = useEffectEvent((given: Draft) => {
    if (given === draft && merge.stage === 'choosing' && isJson(given.text)) look(given)
  })
  useEffect(() => lookBySelf(settled), [settled])

  const submit = () => {
    setFault(undefined)
    if (merge.preview) apply()
    else look(draft)
  }
  return (
    <MergeForm
      dialog={dialog}
      texts={t}
      filename={draft.file?.name ?? t.pastedName}
      fault={fault}
      canSubmit={hidden !== undefined || draft.text.trim() !== ''}
      canGoOn={hidden !== undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      <FileDrop label={t.choose} accept=".json,.age,application/json" disabled={isBusy} onFile={(chosen) => void take(chosen)}>
        {hidden ? (
          <div className="grid justify-items-start gap-3">
            <p className="text-[0.9375rem] wrap-anywhere">{t.large(hidden.name, sizeIn(locale, hidden.size))}</p>
            <Button tone="quiet" size="small" disabled={isBusy} onClick={() => write({ text: '' })}>
              {t.another}
            </Button>
          </div>
        ) : (
          <Field label={t.label}>
            {(slot) => (
              <Textarea
                {...slot}
                value={draft.text}
                readOnly={isBusy}
                onChange={(event) => write({ text: event.target.value })}
                placeholder={t.placeholder}
                spellCheck={false}
                className={cn('max-h-[45dvh] font-mono text-sm', merge.preview ? 'h-32' : 'h-56')}
              />
            )}
          </Field>
        )}
      </FileDrop>
    </MergeForm>
  )
}

function hiddenFile({ file }: Draft) {
  return file && !isShownAsText(file) ? file : undefined
}
