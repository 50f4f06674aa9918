import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArchiveRestore, CloudCheck, Download, Lock, RefreshCw, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { backupDate, backupType, downloadBackup, type listBackups } from '#contract/backups.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { addressOf, CallError } from '../../api/call.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useFocusNew } from '../../ui/use-focus-new.ts'
import { ActionError } from '../action-error.tsx'
import { ListStates } from '../list.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts, useBackupTexts } from '../texts.ts'
import { useDownload } from '../use-download.ts'
import { backupsQuery, statusQuery, useDeleteBackup } from './backup-calls.ts'
import { sizeIn } from './backup-texts.ts'

type Props = { className: string; isEncrypted: boolean; onRestore(filename: string): void }

export function AvailableBackups({ className, isEncrypted, onRestore }: Props) {
  const { list: t } = useBackupTexts()
  const { data, isPending, isError, isFetching, refetch } = useQuery(backupsQuery)
  const query = { data: data?.files, isPending, isError, refetch }
  const cache = useQueryClient()
  const notices = useNotices()
  const [deleting, setDeleting] = useState<BackupFile>()
  const refresh = async () => {
    const [{ isError: failedAgain }] = await Promise.all([refetch(), cache.invalidateQueries(statusQuery)])
    // The list from before stays on the screen and does not show the failure.
    if (failedAgain && data?.files.length) notices.fail(t.failed)
  }
  return (
    <section aria-labelledby="available-backups" className={className}>
      <div className="flex items-center justify-between gap-4 border-b border-ink pb-1">
        <h3 id="available-backups" className="text-xl">
          {t.title}
        </h3>
        <IconButton label={t.refresh} tip={t.refreshTip} onClick={refresh} disabled={isFetching}>
          <RefreshCw aria-hidden className={cn(isFetching && 'motion-safe:animate-spin')} />
        </IconButton>
      </div>
      {isEncrypted && (
        <p className="flex gap-2 border-b border-(--line) py-3 text-sm text-(--quiet)">
          <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t.encrypted}
        </p>
      )}
      <ListStates query={query} loading={t.loading} failed={t.failed} empty={t.empty}>
        {(files) => <Rows files={files} onRestore={onRestore} onDelete={setDeleting} />}
      </ListStates>
      {deleting && <DeleteBackup file={deleting} onClose={() => setDeleting(undefined)} />}
    </section>
  )
}

const shownAtFirst = 8
const shownMore = 24

type RowsProps = Pick<Props, 'onRestore'> & { files: BackupFile[]; onDelete(file: BackupFile): void }

function Rows({ files, onRestore, onDelete }: RowsProps) {
  const { list: t } = useBackupTexts()
  const [most, setMost] = useState(shownAtFirst)
  const { place, awaitNew } = useFocusNew(most)
  const left = files.length - most
  return (
    <>
      <ul>
        {files.slice(0, most).map((file) => (
          <BackupRow
            key={file.filename}
            file={file}
            onRestore={() => onRestore(file.filename)}
            onDelete={() => onDelete(file)}
          />
        ))}
      </ul>
      <div ref={place}>
        {left > 0 && (
          <div className="mt-6 text-center">
            <Button
              size="small"
              onClick={() => {
                awaitNew()
                setMost(most + shownMore)
              }}
            >
              {t.more(left)}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

/** Confirms before it deletes; the last whole backup needs a tick as well. */
function DeleteBackup({ file, onClose }: { file: BackupFile; onClose(): void }) {
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

type BackupFile = ReplyOf<typeof listBackups>['files'][number]

type BackupRowProps = { file: BackupFile; onRestore(): void; onDelete(): void }

function BackupRow({ file, onRestore, onDelete }: BackupRowProps) {
  const { list: t } = useBackupTexts()
  const { filename } = file
  const { href, onClick } = useDownload(addressOf(downloadBackup, { params: { filename } }), filename)
  return (
    <li className="grid items-center gap-x-4 gap-y-2 border-b border-(--line) py-3 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <h4 className="font-mono text-sm font-medium wrap-anywhere">{filename}</h4>
        <BackupFacts file={file} />
      </div>
      <div className="-mr-3 flex flex-wrap items-center gap-1 max-sm:-ml-3">
        <a
          href={href}
          download={filename}
          onClick={onClick}
          aria-label={t.downloadOf(filename)}
          className={buttonClasses({ tone: 'quiet', size: 'small' })}
        >
          <Download aria-hidden />
          {t.download}
        </a>
        {backupType(filename) !== 'database' && (
          <Button tone="quiet" size="small" aria-label={t.restoreOf(filename)} onClick={onRestore}>
            <ArchiveRestore aria-hidden />
            {t.restore}
          </Button>
        )}
        <IconButton label={t.deleteOf(filename)} tip={t.delete} onClick={onDelete} className="hover:text-oxide max-sm:ml-auto">
          <Trash2 aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}

function BackupFacts({ file: { filename, bytes, missingImages, missingRecords, madeBy, copiedAt } }: { file: BackupFile }) {
  const { list: t, types } = useBackupTexts()
  const { locale } = useAdminTexts()
  const date = backupDate(filename)
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 font-mono text-[0.8125rem] text-(--quiet)">
      <Badge>{types[backupType(filename)]}</Badge>
      {date ? <time dateTime={date}>{date}</time> : <span>{t.unknownDate}</span>}
      <span>{sizeIn(locale, bytes)}</span>
      <span className="font-text">{t.makers[madeBy]}</span>
      {copiedAt && (
        <span className="inline-flex items-center gap-1.5 font-text text-verdigris">
          <CloudCheck aria-hidden className="size-4" />
          {t.copied}
        </span>
      )}
      {missingImages > 0 && <Badge tone="danger">{t.missing(missingImages)}</Badge>}
      {missingRecords > 0 && <Badge tone="danger">{t.missingRecords(missingRecords)}</Badge>}
    </p>
  )
}
