import { useId, useState } from 'react'
import { CallError } from '../../api/call.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ActionError } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts, useBackupTexts } from '../texts.ts'
import { useDeleteBackup } from './backup-calls.ts'
import { BackupFacts, type BackupFile } from './backup-row.tsx'

/** Asks before a backup is gone; for the last whole one it has to be said twice. */
export function DeleteBackup({ file, onClose }: { file: BackupFile; onClose(): void }) {
  const { list: t } = useBackupTexts()
  const admin = useAdminTexts()
  const notices = useNotices()
  const remove = useDeleteBackup()
  const [isSure, setSure] = useState(false)
  const failure = notices.lasting(remove.error, t.deleteFailed)
  // It may have become the last one since the list was read.
  const isLast = file.isLast || isLastNow(remove.error)
  const confirm = () =>
    remove.mutate(
      { filename: file.filename, last: isSure },
      {
        onSuccess: () => {
          notices.done(t.deleted)
          onClose()
        },
        onError: (error) => notices.refused(error, t.deleteFailed),
      },
    )
  return (
    <ConfirmDialog
      open
      onCancel={onClose}
      onConfirm={confirm}
      title={t.deleteTitle}
      text={t.deleteText}
      cancelLabel={admin.common.cancel}
      confirmLabel={remove.isPending ? admin.common.deleting : admin.common.delete}
      busy={remove.isPending}
      ready={!isLast || isSure}
    >
      <div className="border-l-2 border-(--line) pl-4">
        <p className="font-mono text-sm font-medium wrap-anywhere">{file.filename}</p>
        <BackupFacts file={file} />
        {file.copiedAt && <p className="mt-2 text-sm">{t.deleteCopied}</p>}
      </div>
      {isLast && <LastOne isSure={isSure} onChange={setSure} />}
      {failure && <ActionError>{failure}</ActionError>}
    </ConfirmDialog>
  )
}

function LastOne({ isSure, onChange }: { isSure: boolean; onChange(isSure: boolean): void }) {
  const { list: t } = useBackupTexts()
  const id = useId()
  return (
    <div className="border-l-4 border-oxide bg-oxide/8 py-3 pr-3 pl-4">
      <p className="font-medium">{t.lastText}</p>
      <div className="mt-2 flex items-center">
        <span className="-ml-3 grid size-11 shrink-0 place-items-center">
          <input
            id={id}
            type="checkbox"
            checked={isSure}
            onChange={(event) => onChange(event.target.checked)}
            className="size-5 accent-(--color-oxide)"
          />
        </span>
        <label htmlFor={id} className="py-2">
          {t.lastBox}
        </label>
      </div>
    </div>
  )
}

function isLastNow(error: unknown) {
  return error instanceof CallError && error.problem?.code === 'last_backup'
}
