import { Archive, ArchiveRestore, Database, FileDown, FileUp } from 'lucide-react'
import { useState } from 'react'
import type { MergeReport } from '#contract/backups.ts'
import { Block } from '../block.tsx'
import { useNotices } from '../notices.ts'
import { AvailableBackups } from './available-backups.tsx'
import { useCompleteBackup, useDatabaseBackup, useExportData } from './backup-calls.ts'
import { BackupInfo } from './backup-info.tsx'
import { useBackupTexts } from './backup-texts.ts'
import { ImportDialog } from './import-dialog.tsx'
import { LastReport } from './last-report.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { saveFile } from './save-file.ts'
import { Tile } from './tile.tsx'

export function BackupsBlock({ className }: { className: string }) {
  const t = useBackupTexts()
  const [dialog, setDialog] = useState<'import' | 'restore'>()
  const [report, setReport] = useState<MergeReport>()
  const close = () => setDialog(undefined)
  return (
    <Block number="04" title={t.title} className={className}>
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
      <LastReport report={report} />
      <div className="mt-8 grid gap-x-12 gap-y-8 lg:grid-cols-12">
        <AvailableBackups className="lg:col-span-7" />
        <BackupInfo className="lg:col-span-5" />
      </div>
      {dialog === 'import' && <ImportDialog onClose={close} onReport={setReport} />}
      {dialog === 'restore' && <RestoreDialog onClose={close} onReport={setReport} />}
    </Block>
  )
}

function DatabaseTile() {
  const { database: t } = useBackupTexts()
  const notices = useNotices()
  const { mutate, isPending } = useDatabaseBackup()
  const create = () =>
    mutate(undefined, {
      onSuccess: () => notices.done(t.done),
      onError: (error) => notices.refused(error, t.failed),
    })
  return (
    <Tile
      icon={Database}
      title={t.title}
      text={t.text}
      action={isPending ? t.busy : t.action}
      busy={isPending}
      onAct={create}
    />
  )
}

function ExportTile() {
  const { export: t } = useBackupTexts()
  const notices = useNotices()
  const { mutate, isPending } = useExportData()
  const create = () =>
    mutate(undefined, {
      onSuccess: ({ data, filename }) => {
        saveFile(JSON.stringify(data, null, 2), filename || 'export.json')
        notices.done(t.done)
      },
      onError: (error) => notices.refused(error, t.failed),
    })
  return (
    <Tile
      icon={FileDown}
      title={t.title}
      text={t.text}
      action={isPending ? t.busy : t.action}
      busy={isPending}
      onAct={create}
    />
  )
}

function CompleteTile() {
  const { complete: t } = useBackupTexts()
  const notices = useNotices()
  const { mutate, isPending } = useCompleteBackup()
  const create = () =>
    mutate(undefined, {
      onSuccess: ({ missingImages }) => (missingImages > 0 ? notices.fail(t.missing(missingImages)) : notices.done(t.done)),
      onError: (error) => notices.refused(error, t.failed),
    })
  return (
    <Tile icon={Archive} title={t.title} text={t.text} action={isPending ? t.busy : t.action} busy={isPending} onAct={create} />
  )
}
