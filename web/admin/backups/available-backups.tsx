import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Lock, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useFocusNew } from '../../ui/use-focus-new.ts'
import { ListStates } from '../list-states.tsx'
import { useNotices } from '../notices.ts'
import { useBackupTexts } from '../texts.ts'
import { backupsQuery, stateQuery } from './backup-calls.ts'
import { type BackupFile, BackupRow } from './backup-row.tsx'
import { DeleteBackup } from './delete-backup.tsx'

type Props = { className: string; isEncrypted: boolean; onRestore(filename: string): void }

export function AvailableBackups({ className, isEncrypted, onRestore }: Props) {
  const { list: t } = useBackupTexts()
  const { data, isPending, isError, isFetching, refetch } = useQuery(backupsQuery)
  const query = { data: data?.files, isPending, isError, refetch }
  const cache = useQueryClient()
  const notices = useNotices()
  const [deleting, setDeleting] = useState<BackupFile>()
  const refresh = async () => {
    const [{ isError: failedAgain }] = await Promise.all([refetch(), cache.invalidateQueries(stateQuery)])
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

/** As many as are read at a glance, and so many more each time. */
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
