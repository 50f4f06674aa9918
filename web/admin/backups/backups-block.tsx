import { type UseMutationResult, useQuery } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Database, FileDown, FileUp, type LucideIcon, Moon } from 'lucide-react'
import { useId, useState } from 'react'
import { type exportData, recordsMissingFrom } from '#contract/backups.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Button } from '../../ui/button.tsx'
import { Block } from '../block.tsx'
import { useNotices } from '../notices.ts'
import { useBackupTexts } from '../texts.ts'
import { AvailableBackups } from './available-backups.tsx'
import { stateQuery, useCompleteBackup, useDatabaseBackup, useExportData } from './backup-calls.ts'
import { BackupInfo } from './backup-info.tsx'
import { EveryNight } from './every-night.tsx'
import { LastReport } from './last-report.tsx'
import { LaterMerge } from './merge/later-merge.tsx'
import { SafetyLine } from './safety-line.tsx'
import { saveFile } from './save-file.ts'
import { Tile, type Waiting } from './tile.tsx'
import { WorkingLine } from './working-line.tsx'

/** A dialog that is open. */
type Open = { what: 'nights' } | { what: 'import' } | { what: 'restore'; filename?: string }

export function BackupsBlock({ className }: { className: string }) {
  const t = useBackupTexts()
  const query = useQuery(stateQuery)
  const state = query.data
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const workingId = useId()
  // Would be refused now: one thing is done at a time.
  const waiting = state?.working ? { describedBy: workingId } : undefined
  return (
    <Block number="05" title={t.title} className={className}>
      <SafetyLine query={query}>
        <Button size="small" onClick={() => setOpen({ what: 'nights' })}>
          <Moon aria-hidden />
          {t.nights.open}
        </Button>
      </SafetyLine>
      <WorkingLine working={state?.working ?? null} id={workingId} />
      <LastReport state={state} />
      <ul className="grid gap-px border-x border-b border-(--line) bg-(--line) sm:grid-cols-2 xl:grid-cols-5">
        <DatabaseTile waiting={waiting} />
        <ExportTile />
        <Tile
          icon={FileUp}
          title={t.import.title}
          text={t.import.text}
          action={t.import.action}
          waiting={waiting}
          onAct={() => setOpen({ what: 'import' })}
        />
        <CompleteTile waiting={waiting} />
        <Tile
          icon={ArchiveRestore}
          title={t.restore.title}
          text={t.restore.text}
          action={t.restore.action}
          waiting={waiting}
          onAct={() => setOpen({ what: 'restore' })}
        />
      </ul>
      <div className="mt-8 grid gap-x-12 gap-y-8 lg:grid-cols-12">
        <AvailableBackups
          className="lg:col-span-8"
          isEncrypted={state?.encrypted === true}
          onRestore={(filename) => setOpen({ what: 'restore', filename })}
        />
        <BackupInfo className="lg:col-span-4" />
      </div>
      {open?.what === 'nights' && state && <EveryNight {...state} onClose={close} />}
      {open?.what === 'import' && <LaterMerge mode="import" onClose={close} />}
      {open?.what === 'restore' && <LaterMerge mode="restore" filename={open.filename} onClose={close} />}
    </Block>
  )
}

type TileProps = { waiting: Waiting }

function DatabaseTile({ waiting }: TileProps) {
  const { database: t } = useBackupTexts()
  const notices = useNotices()
  return <WorkTile icon={Database} t={t} work={useDatabaseBackup()} waiting={waiting} onDone={() => notices.done(t.done)} />
}

/** Takes no turn: it is done whatever else is under way. */
function ExportTile() {
  const { export: t, leftOut } = useBackupTexts()
  const notices = useNotices()
  const work = useExportData()
  const shortfall = (kept: typeof work.data) =>
    kept && recordsMissingFrom(kept.filename) > 0 ? leftOut(kept.leftOut) : undefined
  const done = (kept: ReplyOf<typeof exportData>) => {
    saveFile(JSON.stringify(kept.data, null, 2), kept.filename || 'export.json')
    const missing = shortfall(kept)
    if (missing) notices.fail(missing)
    else notices.done(t.done)
  }
  return <WorkTile icon={FileDown} t={t} work={work} onDone={done} problem={shortfall(work.data)} />
}

function CompleteTile({ waiting }: TileProps) {
  const { complete: t, leftOut } = useBackupTexts()
  const notices = useNotices()
  const work = useCompleteBackup()
  const shortfall = (made: typeof work.data) => {
    const photos = made?.missingImages && t.missing(made.missingImages, made.missingFrom, made.missingFromMessages)
    return [photos, made?.missingRecords && leftOut(made.leftOut)].filter(Boolean).join(' ') || undefined
  }
  const done = (made: typeof work.data) => {
    const missing = shortfall(made)
    if (missing) notices.fail(missing)
    else notices.done(t.done)
  }
  return <WorkTile icon={Archive} t={t} work={work} waiting={waiting} onDone={done} problem={shortfall(work.data)} />
}

type WorkTileProps<Answer> = {
  icon: LucideIcon
  t: Record<'title' | 'text' | 'action' | 'busy' | 'failed', string>
  work: UseMutationResult<Answer, Error, undefined>
  waiting?: Waiting
  onDone(answer: Answer): void
  /** What is wrong although it was done. */
  problem?: string | undefined
}

/** A tile whose work is done where it stands: busy meanwhile, and with the reason when it failed. */
function WorkTile<Answer>({ icon, t, work, waiting, onDone, problem }: WorkTileProps<Answer>) {
  const notices = useNotices()
  const { mutate, isPending, error } = work
  return (
    <Tile
      icon={icon}
      title={t.title}
      text={t.text}
      action={isPending ? t.busy : t.action}
      busy={isPending}
      waiting={waiting}
      problem={notices.lasting(error, t.failed) ?? problem}
      onAct={() => mutate(undefined, { onSuccess: onDone, onError: (failure) => notices.refused(failure, t.failed) })}
    />
  )
}
