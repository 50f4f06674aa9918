import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArchiveRestore, CloudCheck, Download, Lock } from 'lucide-react'
import { useState } from 'react'
import { dayAndTime } from '#content/moments.ts'
import { sizeIn } from '#content/sizes.ts'
import { backupDate, backupMoment, backupType, deleteBackup, downloadBackup, type listBackups } from '#contract/backups.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { addressOf } from '../../api/call.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { DeleteButton, RefreshButton } from '../../ui/icon-button.tsx'
import { ConfirmCall } from '../confirm-call.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { ListStates, ShowMore } from '../list.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts, useBackupTexts, useTimeZone } from '../texts.ts'
import { useDownload } from '../use-download.ts'
import { backupsQuery, statusQuery, useBackupCall } from './backup-calls.ts'

type Props = { className: string; isEncrypted: boolean; onRestore(filename: string): void }

export function AvailableBackups({ className, isEncrypted, onRestore }: Props) {
  const { list: t } = useBackupTexts()
  const query = useQuery({ ...backupsQuery, select: ({ files }) => files })
  const cache = useQueryClient()
  const notices = useNotices()
  const [deleting, setDeleting] = useState<BackupFile>()
  const [shown, setShown] = useState(8)
  const refresh = async () => {
    const [{ isError }] = await Promise.all([query.refetch(), cache.invalidateQueries(statusQuery)])
    // The list from before stays on the screen and does not show the failure.
    if (isError && query.data?.length) notices.fail(t.failed)
  }
  return (
    <section aria-labelledby="available-backups" className={className}>
      <div className="flex items-center justify-between gap-4 border-b border-ink pb-1">
        <h3 id="available-backups" className="text-xl">
          {t.title}
        </h3>
        <RefreshButton label={t.refresh} tip={t.refreshTip} isFetching={query.isFetching} onRefresh={refresh} />
      </div>
      {isEncrypted && (
        <p className="flex gap-2 border-b border-(--line) py-3 text-sm text-(--quiet)">
          <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t.encrypted}
        </p>
      )}
      <ListStates query={query} words={t}>
        {(files) => (
          <>
            <ul>
              {files.slice(0, shown).map((file) => (
                <BackupRow key={file.filename} file={file} onRestore={onRestore} onDelete={setDeleting} />
              ))}
            </ul>
            <ShowMore
              list={{ hasNextPage: shown < files.length, fetchNextPage: () => setShown(shown + 24) }}
              shown={shown}
              label={t.more(files.length - shown)}
            />
          </>
        )}
      </ListStates>
      {deleting && <DeleteBackup file={deleting} onClose={() => setDeleting(undefined)} />}
    </section>
  )
}

/** Confirms before it deletes; the last whole backup needs a tick as well. */
function DeleteBackup({ file, onClose }: { file: BackupFile; onClose(): void }) {
  const { list: t } = useBackupTexts()
  const [isSure, setSure] = useState(false)
  const remove = useBackupCall(() =>
    callConfirmed(deleteBackup, { params: { filename: file.filename }, query: { last: isSure ? 'yes' : undefined } }),
  )
  return (
    <ConfirmCall
      call={remove}
      input={undefined}
      title={t.deleteTitle}
      text={t.deleteText}
      ready={!file.isLast || isSure}
      failed={t.deleteFailed}
      inServersWords
      onDone={() => t.deleted}
      onClose={onClose}
    >
      <div className="border-l-2 border-(--line) pl-4">
        <p className="font-mono text-sm font-medium wrap-anywhere">{file.filename}</p>
        <BackupFacts file={file} />
        {file.copiedAt && <p className="mt-2 text-sm">{t.deleteCopied}</p>}
      </div>
      {file.isLast && (
        <div className="border-l-4 border-oxide bg-oxide/8 py-3 pr-3 pl-4">
          <p className="font-medium">{t.lastText}</p>
          <Checkbox
            label={t.lastBox}
            checked={isSure}
            onChange={(event) => setSure(event.target.checked)}
            className="accent-(--color-oxide)"
          />
        </div>
      )}
    </ConfirmCall>
  )
}

type BackupFile = ReplyOf<typeof listBackups>['files'][number]

type BackupRowProps = Pick<Props, 'onRestore'> & { file: BackupFile; onDelete(file: BackupFile): void }

function BackupRow({ file, onRestore, onDelete }: BackupRowProps) {
  const { list: t } = useBackupTexts()
  const { filename } = file
  const { href, onClick } = useDownload(addressOf(downloadBackup, { params: { filename } }), filename)
  return (
    <li className="grid items-center gap-x-4 gap-y-2 border-b border-(--line) py-3 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <h4 className="font-medium">
          <MadeAt filename={filename} />
          {` · ${t.makers[file.madeBy]}`}
        </h4>
        <p className="mt-0.5 font-mono text-[0.8125rem] wrap-anywhere text-(--quiet)">{filename}</p>
        <BackupFacts file={file} />
      </div>
      <div className="-mr-3 flex flex-wrap items-center gap-1 max-sm:-ml-3">
        <a
          href={href}
          download={filename}
          onClick={onClick}
          aria-label={t.downloadOf(filename)}
          className={buttonClasses({ tone: 'quiet' })}
        >
          <Download aria-hidden />
          {t.download}
        </a>
        {backupType(filename) !== 'database' && (
          <Button icon={ArchiveRestore} tone="quiet" aria-label={t.restoreOf(filename)} onClick={() => onRestore(filename)}>
            {t.restore}
          </Button>
        )}
        <DeleteButton label={t.deleteOf(filename)} tip={t.delete} onClick={() => onDelete(file)} className="max-sm:ml-auto" />
      </div>
    </li>
  )
}

/** By the workshop's clock; the day alone where the name has no time. */
function MadeAt({ filename }: { filename: string }) {
  const { list: t } = useBackupTexts()
  const { locale } = useAdminTexts()
  const timeZone = useTimeZone()
  const day = backupDate(filename)
  if (!day) return t.unknownDate
  const moment = backupMoment(filename)
  const text = moment ? dayAndTime(locale, timeZone, moment) : day
  return <time dateTime={moment ?? day}>{text}</time>
}

function BackupFacts({ file: { filename, bytes, missingImages, missingRecords, copiedAt } }: { file: BackupFile }) {
  const { list: t, types } = useBackupTexts()
  const { locale } = useAdminTexts()
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 font-mono text-[0.8125rem] text-(--quiet)">
      <Badge>{types[backupType(filename)]}</Badge>
      <span>{sizeIn(locale, bytes)}</span>
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
