import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { backupType } from '#contract/backups.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogActions, DialogBody } from '../../../ui/dialog.tsx'
import { DialogError } from '../../action-error.tsx'
import { useNotices } from '../../notices.ts'
import { useAdminTexts } from '../../texts.ts'
import { sizeIn, useBackupTexts } from '../backup-texts.ts'
import { FileDrop } from '../file-drop.tsx'
import type { MergePartProps } from './later-merge.tsx'
import { MergePreview } from './merge-preview.tsx'
import { MergeProgress } from './merge-progress.tsx'
import { useMergeDialog } from './use-merge-dialog.ts'

/** Restores a backup of the list, or a file that is chosen. */
export function RestorePart({ filename, onClose, hold }: MergePartProps) {
  const { restore: t, merge: m } = useBackupTexts()
  const { common, locale } = useAdminTexts()
  const notices = useNotices()
  const isExport = filename !== undefined && backupType(filename) === 'export'
  const { merge, without, setWithout, begin, apply, isBusy, isHeld, problem } = useMergeDialog({
    mode: 'restore',
    done: ({ imported: { projects, contacts, images } }) =>
      isExport ? t.exportDone(projects, contacts) : t.done(projects, contacts, images),
    failed: t.failed,
    onClose,
    hold,
  })
  const [file, setFile] = useState<File>()
  const [isWrong, setWrong] = useState(false)
  const look = useEffectEvent(() => filename && begin({ source: { filename } }))
  useEffect(() => void look(), [])
  const choose = (chosen: File) => {
    const isArchive = /\.zip(\.age)?$/i.test(chosen.name)
    setFile(isArchive ? chosen : undefined)
    setWrong(!isArchive)
    if (isArchive) return begin({ file: chosen })
    merge.forget()
    notices.fail(t.notZip)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (merge.preview) apply()
  }
  const { source, preview, error, stage } = merge
  return (
    <form onSubmit={submit} noValidate className="contents">
      <DialogBody className="grid content-start gap-6">
        {filename === undefined && (
          <FileDrop label={t.choose} accept=".zip,.age,application/zip" disabled={isBusy} onFile={choose}>
            <p className="font-mono text-sm text-(--quiet) wrap-anywhere">
              {file ? t.chosen(file.name, sizeIn(locale, file.size)) : t.drop}
            </p>
          </FileDrop>
        )}
        <MergeProgress merge={merge} busy={t.busy} />
        {source && preview && (
          <MergePreview
            filename={filename ?? file?.name ?? ''}
            source={source}
            preview={preview}
            without={without}
            onChange={setWithout}
            isBusy={isBusy}
          />
        )}
      </DialogBody>
      <DialogError>{isWrong ? t.notZip : problem}</DialogError>
      <DialogActions>
        <Button size="small" onClick={onClose} disabled={isHeld}>
          {common.cancel}
        </Button>
        {error !== undefined && (
          <Button size="small" onClick={merge.goOn}>
            {stage === 'sending' ? m.goOn : m.lookAgain}
          </Button>
        )}
        <Button type="submit" tone="brass" size="small" disabled={isBusy || !preview}>
          {isBusy ? t.busy : t.submit}
        </Button>
      </DialogActions>
    </form>
  )
}
