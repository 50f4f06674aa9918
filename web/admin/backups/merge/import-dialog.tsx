import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { Field, Textarea } from '../../../ui/field.tsx'
import { useDebounced } from '../../list.tsx'
import { useNotices } from '../../notices.ts'
import { useAdminTexts, useBackupTexts } from '../../texts.ts'
import { sizeIn } from '../backup-texts.ts'
import type { MergeDialogProps } from './merge-dialog.tsx'
import { FileDrop, MergeForm } from './merge-form.tsx'
import { asExport } from './send-file.ts'
import { useMergeDialog } from './use-merge.ts'

/** A text, and its file until the text is edited. A file that is too large to show has no text. */
type Draft = { text: string; file?: File }

/** Imports an export that is pasted, chosen or dropped. */
export function ImportDialog({ onClose, hold }: MergeDialogProps) {
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
  const previewInput = (input: Draft) => {
    const { text, file } = input
    if (!hiddenFile(input) && !isJson(text)) return refuse(t.invalid)
    if (file) return begin({ file: asExport(file, t.pastedName) })
    begin({ file: new File([text], t.pastedName, { type: 'application/json' }), isPasted: true })
  }
  const take = async (file: File) => {
    try {
      const taken = { text: isShownAsText(file) ? await file.text() : '', file }
      write(taken)
      previewInput(taken)
    } catch {
      refuse(restore.uploadFailed)
    }
  }
  // Previews when typing has paused. JSON that is not complete yet is no fault.
  const settled = useDebounced(draft, 700)
  const previewTyped = useEffectEvent((input: Draft) => {
    if (input === draft && merge.stage === 'choosing' && isJson(input.text)) previewInput(input)
  })
  useEffect(() => previewTyped(settled), [settled])

  const submit = () => {
    setFault(undefined)
    if (merge.preview) apply()
    else previewInput(draft)
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

/** Larger texts would fill the memory of the page. */
const mostShown = 1_000_000

/** Encrypted files are never shown as text. */
function isShownAsText({ name, size }: Pick<File, 'name' | 'size'>) {
  return size <= mostShown && !name.toLowerCase().endsWith('.age')
}

function isJson(text: string) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
