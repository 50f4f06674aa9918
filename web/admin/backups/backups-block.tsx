import type { UseMutationResult } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Database, FileDown, FileUp, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import type { exportData } from '#contract/backups.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Block } from '../block.tsx'
import { useNotices } from '../notices.ts'
import { AvailableBackups } from './available-backups.tsx'
import { useCompleteBackup, useDatabaseBackup, useExportData } from './backup-calls.ts'
import { BackupInfo } from './backup-info.tsx'
import { useBackupTexts } from './backup-texts.ts'
import { ImportDialog } from './import-dialog.tsx'
import { type LastMerge, LastReport } from './last-report.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { saveFile } from './save-file.ts'
import { Tile } from './tile.tsx'

export function BackupsBlock({ className }: { className: string }) {
  const t = useBackupTexts()
  const [dialog, setDialog] = useState<'import' | 'restore'>()
  const [last, setLast] = useState<LastMerge>()
  const close = () => setDialog(undefined)
  return (
    <Block number="05" title={t.title} className={className}>
      <ul className="grid gap-px border-x border-b border-(--line) bg-(--line) sm:grid-cols-2 xl:grid-cols-5">
        <DatabaseTile />
        <ExportTile />
        <Tile
          icon={FileUp}
          title={t.import.title}
          text={t.import.text}
          action={t.import.action}
          onAct={() => setDialog('import')}
        />
        <CompleteTile />
        <Tile
          icon={ArchiveRestore}
          title={t.restore.title}
          text={t.restore.text}
          action={t.restore.action}
          onAct={() => setDialog('restore')}
        />
      </ul>
      <LastReport last={last} />
      <div className="mt-8 grid gap-x-12 gap-y-8 lg:grid-cols-12">
        <AvailableBackups className="lg:col-span-7" />
        <BackupInfo className="lg:col-span-5" />
      </div>
      {dialog === 'import' && <ImportDialog onClose={close} onReport={(report) => setLast({ kind: 'import', report })} />}
      {dialog === 'restore' && <RestoreDialog onClose={close} onReport={(report) => setLast({ kind: 'restore', report })} />}
    </Block>
  )
}

function DatabaseTile() {
  const { database: t } = useBackupTexts()
  const notices = useNotices()
  return <WorkTile icon={Database} t={t} work={useDatabaseBackup()} onDone={() => notices.done(t.done)} />
}

function ExportTile() {
  const { export: t } = useBackupTexts()
  const notices = useNotices()
  const done = ({ data, filename }: ReplyOf<typeof exportData>) => {
    saveFile(JSON.stringify(data, null, 2), filename || 'export.json')
    notices.done(t.done)
  }
  return <WorkTile icon={FileDown} t={t} work={useExportData()} onDone={done} />
}

function CompleteTile() {
  const { complete: t } = useBackupTexts()
  const notices = useNotices()
  const work = useCompleteBackup()
  const shortfall = (made: typeof work.data) =>
    made && made.missingImages > 0 ? t.missing(made.missingImages, made.missingFrom, made.missingFromMessages) : undefined
  const done = (made: typeof work.data) => {
    const missing = shortfall(made)
    if (missing) notices.fail(missing)
    else notices.done(t.done)
  }
  return <WorkTile icon={Archive} t={t} work={work} onDone={done} problem={shortfall(work.data)} />
}

type WorkTileProps<Answer> = {
  icon: LucideIcon
  t: Record<'title' | 'text' | 'action' | 'busy' | 'failed', string>
  work: UseMutationResult<Answer, Error, undefined>
  onDone(answer: Answer): void
  /** What is wrong although it was done. */
  problem?: string | undefined
}

/** A tile whose work is done where it stands: busy meanwhile, and with the reason when it failed. */
function WorkTile<Answer>({ icon, t, work, onDone, problem }: WorkTileProps<Answer>) {
  const notices = useNotices()
  const { mutate, isPending, error } = work
  return (
    <Tile
      icon={icon}
      title={t.title}
      text={t.text}
      action={isPending ? t.busy : t.action}
      busy={isPending}
      problem={notices.lasting(error, t.failed) ?? problem}
      onAct={() => mutate(undefined, { onSuccess: onDone, onError: (failure) => notices.refused(failure, t.failed) })}
    />
  )
}
