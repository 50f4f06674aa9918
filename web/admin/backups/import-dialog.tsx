import { type FormEvent, useState } from 'react'
import type { MergeReport } from '#contract/backups.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { DialogError } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { useImportData } from './backup-calls.ts'
import { useBackupTexts } from './backup-texts.ts'
import { FileDrop } from './file-drop.tsx'

type Props = { onClose(): void; onReport(report: MergeReport): void }

export function ImportDialog({ onClose, onReport }: Props) {
  const { import: t, report: told } = useBackupTexts()
  const { common } = useAdminTexts()
  const notices = useNotices()
  const { mutate, isPending, error, reset } = useImportData()
  const [text, setText] = useState('')
  const [unreadable, setUnreadable] = useState(false)
  const write = (next: string) => {
    setText(next)
    setUnreadable(false)
    reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const data = parsed(text)
    setUnreadable(data === undefined)
    if (data === undefined) return notices.fail(t.invalid)
    mutate(data, {
      onSuccess: (report) => {
        notices.done(t.done(report.imported.projects, report.imported.contacts), { note: told.site(report.site) })
        onReport(report)
        onClose()
      },
      onError: (error) => notices.refused(error, t.failed),
    })
  }
  return (
    <Dialog
      open
      width="wide"
      onClose={() => !isPending && onClose()}
      title={t.title}
      description={t.dialogText}
      closeLabel={common.close}
    >
      <form onSubmit={submit} noValidate className="contents">
        <DialogBody>
          <FileDrop
            label={t.choose}
            accept=".json,application/json"
            disabled={isPending}
            onFile={async (file) => write(await file.text())}
          >
            <Field label={t.label}>
              {(slot) => (
                <Textarea
                  {...slot}
                  value={text}
                  onChange={(event) => write(event.target.value)}
                  placeholder={t.placeholder}
                  spellCheck={false}
                  className="h-56 max-h-[45dvh] font-mono text-sm"
                />
              )}
            </Field>
          </FileDrop>
        </DialogBody>
        <DialogError>{unreadable ? t.invalid : notices.lasting(error, t.failed)}</DialogError>
        <DialogActions>
          <Button size="small" onClick={onClose} disabled={isPending}>
            {common.cancel}
          </Button>
          <Button type="submit" tone="brass" size="small" disabled={isPending || text.trim() === ''}>
            {isPending ? t.busy : t.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}
