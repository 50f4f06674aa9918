import { ArchiveRestore, CloudCheck, Download, Trash2 } from 'lucide-react'
import { backupDate, backupType, downloadBackup, type listBackups } from '#contract/backups.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { addressOf } from '../../api/call.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useAdminTexts, useBackupTexts } from '../texts.ts'
import { useDownload } from '../use-download.ts'
import { sizeIn } from './backup-texts.ts'

export type BackupFile = ReplyOf<typeof listBackups>['files'][number]

type Props = { file: BackupFile; onRestore(): void; onDelete(): void }

export function BackupRow({ file, onRestore, onDelete }: Props) {
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

/** What is known of a backup besides its name. */
export function BackupFacts({
  file: { filename, bytes, missingImages, missingRecords, madeBy, copiedAt },
}: {
  file: BackupFile
}) {
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
