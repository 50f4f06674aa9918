import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { DialogActions, DialogBody } from '../../../ui/dialog.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { DialogError } from '../../action-error.tsx'
import { useNotices } from '../../notices.ts'
import { useAdminTexts } from '../../texts.ts'
import { useDebounced } from '../../use-debounced.ts'
import { sizeIn, useBackupTexts } from '../backup-texts.ts'
import { FileDrop } from '../file-drop.tsx'
import { isJson, isShownAsText } from './import-file.rules.ts'
import type { MergePartProps } from './later-merge.tsx'
import { MergePreview } from './merge-preview.tsx'
import { MergeProgress } from './merge-progress.tsx'
import { useMergeDialog } from './use-merge-dialog.ts'

/** Imports an export that is pasted, chosen or dropped. */
export function ImportPart({ onClose, hold }: MergePartProps) {
  const { import: t, merge: m } = useBackupTexts()
  const { common, locale } = useAdminTexts()
  const notices = useNotices()
  const { merge, without, setWithout, begin, apply, isBusy, isHeld, problem } = useMergeDialog({
    mode: 'import',
    done: ({ imported: { projects, contacts } }) => t.done(projects, contacts),
    failed: t.failed,
    onClose,
    hold,
  })
  const [text, setText] = useState('')
  const [name, setName] = useState(t.pastedName)
  /** One that is not shown as text. */
  const [file, setFile] = useState<File>()
  const [unreadable, setUnreadable] = useState(false)
  const lookedAt = useRef('')

  const write = (next: string, from = t.pastedName) => {
    setText(next)
    setName(from)
    setUnreadable(false)
    lookedAt.current = ''
    merge.forget()
  }
  const look = (given: string) => {
    lookedAt.current = given
    begin({ file: new File([given], name, { type: 'application/json' }) })
  }
  const take = async (chosen: File) => {
    const isText = isShownAsText(chosen)
    write(isText ? await chosen.text() : '', chosen.name)
    setFile(isText ? undefined : chosen)
    if (!isText) begin({ file: chosen })
  }
  // Somebody who has stopped typing wants to know what it would do; what is not whole yet is no fault.
  const settled = useDebounced(text, 700)
  const lookBySelf = useEffectEvent((given: string) => {
    if (given === text && given !== lookedAt.current && isJson(given)) look(given)
  })
  useEffect(() => lookBySelf(settled), [settled])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (merge.preview) return apply()
    if (file) return merge.goOn()
    setUnreadable(!isJson(text))
    if (isJson(text)) look(text)
    else notices.fail(t.invalid)
  }
  const { source, preview, stage, error } = merge
  const isGoing = isBusy || ((stage === 'sending' || stage === 'looking') && error === undefined)
  return (
    <form onSubmit={submit} noValidate className="contents">
      <DialogBody className="grid content-start gap-6">
        <FileDrop
          label={t.choose}
          accept=".json,.age,application/json"
          disabled={isBusy}
          onFile={(chosen) => void take(chosen)}
        >
          {file ? (
            <div className="grid justify-items-start gap-3">
              <p className="text-[0.9375rem] wrap-anywhere">{t.large(file.name, sizeIn(locale, file.size))}</p>
              <Button
                tone="quiet"
                size="small"
                disabled={isBusy}
                onClick={() => {
                  setFile(undefined)
                  write('')
                }}
              >
                {t.another}
              </Button>
            </div>
          ) : (
            <Field label={t.label}>
              {(slot) => (
                <Textarea
                  {...slot}
                  value={text}
                  readOnly={isBusy}
                  onChange={(event) => write(event.target.value)}
                  placeholder={t.placeholder}
                  spellCheck={false}
                  className={cn('max-h-[45dvh] font-mono text-sm', preview ? 'h-32' : 'h-56')}
                />
              )}
            </Field>
          )}
        </FileDrop>
        <MergeProgress merge={merge} busy={t.busy} />
        {source && preview && (
          <MergePreview
            filename={name}
            source={source}
            preview={preview}
            without={without}
            onChange={setWithout}
            isBusy={isBusy}
          />
        )}
      </DialogBody>
      <DialogError>{unreadable ? t.invalid : problem}</DialogError>
      <DialogActions>
        <Button size="small" onClick={onClose} disabled={isHeld}>
          {common.cancel}
        </Button>
        {file && error !== undefined && (
          <Button size="small" onClick={merge.goOn}>
            {stage === 'sending' ? m.goOn : m.lookAgain}
          </Button>
        )}
        <Button type="submit" tone="brass" size="small" disabled={isGoing || (!file && text.trim() === '')}>
          {isBusy ? t.busy : t.submit}
        </Button>
      </DialogActions>
    </form>
  )
}
