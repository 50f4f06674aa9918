import { type FormEvent, useState } from 'react'
import { type MergeReport, restoreUpload } from '#contract/backups.ts'
import { CallError } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { DialogError } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { useRestoreComplete } from './backup-calls.ts'
import { sizeIn, useBackupTexts } from './backup-texts.ts'
import { FileDrop } from './file-drop.tsx'

type Props = { onClose(): void; onReport(report: MergeReport): void }

export function RestoreDialog({ onClose, onReport }: Props) {
  const { restore: t, report: told } = useBackupTexts()
  const { common, locale } = useAdminTexts()
  const notices = useNotices()
  const { mutate, isPending, error, reset } = useRestoreComplete()
  const [file, setFile] = useState<File>()
  const [isWrong, setWrong] = useState(false)
  const [sent, setSent] = useState(0)
  const choose = (chosen: File) => {
    const isArchive = chosen.name.toLowerCase().endsWith(restoreUpload.ending)
    reset()
    setFile(isArchive ? chosen : undefined)
    setWrong(!isArchive)
    if (!isArchive) notices.fail(t.notZip)
  }
  const fallback = (failure: unknown) => (failure instanceof CallError ? t.failed : t.uploadFailed)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!file) return notices.fail(t.notZip)
    setSent(0)
    mutate(
      { file, onProgress: setSent },
      {
        onSuccess: (report) => {
          const { projects, contacts, images } = report.imported
          notices.done(t.done(projects, contacts, images), { note: told.site(report.site) })
          onReport(report)
          onClose()
        },
        onError: (failure) => notices.refused(failure, fallback(failure)),
      },
    )
  }
  return (
    <Dialog open onClose={() => !isPending && onClose()} title={t.title} description={t.dialogText} closeLabel={common.close}>
      <form onSubmit={submit} noValidate className="contents">
        <DialogBody>
          <FileDrop label={t.choose} accept={`${restoreUpload.ending},application/zip`} disabled={isPending} onFile={choose}>
            <p className="font-mono text-sm text-(--quiet) wrap-anywhere">
              {file ? t.chosen(file.name, sizeIn(locale, file.size)) : t.drop}
            </p>
          </FileDrop>
          {isPending && <Sending part={sent} />}
        </DialogBody>
        <DialogError>{isWrong ? t.notZip : notices.lasting(error, fallback(error))}</DialogError>
        <DialogActions>
          <Button size="small" onClick={onClose} disabled={isPending}>
            {common.cancel}
          </Button>
          <Button type="submit" tone="brass" size="small" disabled={isPending || !file}>
            {isPending ? t.busy : t.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Sending({ part }: { part: number }) {
  const { restore: t } = useBackupTexts()
  const { locale } = useAdminTexts()
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(part)
  return (
    <div className="mt-5">
      <div className="flex justify-between gap-4 text-sm">
        <p role="status">{part < 1 ? t.uploading : t.working}</p>
        <p aria-hidden="true" className="font-mono">
          {percent}
        </p>
      </div>
      <progress aria-label={t.uploading} value={part} max={1} className="mt-2 h-1.5 w-full accent-brass" />
    </div>
  )
}
