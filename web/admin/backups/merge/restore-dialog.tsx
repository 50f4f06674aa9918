import { useEffect, useEffectEvent, useState } from 'react'
import { backupType } from '#contract/backups.ts'
import { useNotices } from '../../notices.ts'
import { useAdminTexts, useBackupTexts } from '../../texts.ts'
import { sizeIn } from '../backup-texts.ts'
import type { MergeDialogProps } from './merge-dialog.tsx'
import { FileDrop, MergeForm } from './merge-form.tsx'
import { isArchive } from './merge-preview.rules.ts'
import { useMergeDialog } from './use-merge.ts'

/** Restores a backup of the list, or a file that is chosen. */
export function RestoreDialog({ filename, onClose, hold }: MergeDialogProps) {
  const { restore: t } = useBackupTexts()
  const { locale } = useAdminTexts()
  const notices = useNotices()
  const isExport = filename !== undefined && backupType(filename) === 'export'
  const dialog = useMergeDialog({
    mode: 'restore',
    done: ({ imported: { projects, contacts, images } }) =>
      isExport ? t.exportDone(projects, contacts) : t.done(projects, contacts, images),
    failed: t.failed,
    onClose,
    hold,
  })
  const { merge, begin, apply, isBusy } = dialog
  const [file, setFile] = useState<File>()
  const [isRefused, setRefused] = useState(false)
  const previewListed = useEffectEvent(() => filename && begin({ source: { filename } }))
  useEffect(() => void previewListed(), [])
  const choose = (chosen: File) => {
    const isZip = isArchive(chosen.name)
    setFile(isZip ? chosen : undefined)
    setRefused(!isZip)
    if (isZip) return begin({ file: chosen })
    merge.forget()
    notices.fail(t.notZip)
  }
  return (
    <MergeForm
      dialog={dialog}
      texts={t}
      filename={filename ?? file?.name ?? ''}
      fault={isRefused ? t.notZip : undefined}
      canSubmit={merge.preview !== undefined}
      canGoOn
      onSubmit={() => merge.preview && apply()}
      onClose={onClose}
    >
      {filename === undefined && (
        <FileDrop label={t.choose} accept=".zip,.age,application/zip" disabled={isBusy} onFile={choose}>
          <p className="font-mono text-sm text-(--quiet) wrap-anywhere">
            {file ? t.chosen(file.name, sizeIn(locale, file.size)) : t.drop}
          </p>
        </FileDrop>
      )}
    </MergeForm>
  )
}
