import { useQuery } from '@tanstack/react-query'
import { Download, RefreshCw } from 'lucide-react'
import { backupDate, backupType, type listBackups } from '#contract/backups.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClasses } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListStates } from '../list-states.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { backupsQuery, downloadAddress } from './backup-calls.ts'
import { sizeIn, useBackupTexts } from './backup-texts.ts'

export function AvailableBackups({ className }: { className: string }) {
  const { list: t } = useBackupTexts()
  const { data, isPending, isError, isFetching, refetch } = useQuery(backupsQuery)
  const query = { data: data?.files, isPending, isError, refetch }
  const notices = useNotices()
  const refresh = async () => {
    const { isError: failedAgain } = await refetch()
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
      <ListStates query={query} loading={t.loading} failed={t.failed} empty={t.empty}>
        {(files) => (
          <ul>
            {files.map((file) => (
              <BackupRow key={file.filename} {...file} />
            ))}
          </ul>
        )}
      </ListStates>
    </section>
  )
}

type BackupFile = ReplyOf<typeof listBackups>['files'][number]

function BackupRow({ filename, bytes, missingImages }: BackupFile) {
  const { list: t, types } = useBackupTexts()
  const { locale } = useAdminTexts()
  const date = backupDate(filename)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-(--line) py-3">
      <div className="mr-auto min-w-0">
        <h4 className="font-mono text-sm font-medium wrap-anywhere">{filename}</h4>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 font-mono text-[0.8125rem] text-(--quiet)">
          <Badge>{types[backupType(filename)]}</Badge>
          {date ? <time dateTime={date}>{date}</time> : <span>{t.unknownDate}</span>}
          <span>{sizeIn(locale, bytes)}</span>
          {missingImages > 0 && <Badge tone="danger">{t.missing(missingImages)}</Badge>}
        </p>
      </div>
      <a
        href={downloadAddress(filename)}
        download={filename}
        aria-label={t.downloadOf(filename)}
        className={buttonClasses({ size: 'small' })}
      >
        <Download aria-hidden />
        {t.download}
      </a>
    </li>
  )
}
