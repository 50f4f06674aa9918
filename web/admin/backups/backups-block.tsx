import { type UseMutationResult, useQuery } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Database, FileDown, FileUp, type LucideIcon, Moon } from 'lucide-react'
import { useId, useState } from 'react'
import { type exportData, recordsMissingFrom } from '#contract/backups.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { quarantineDays } from '#contract/images.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { ActionError } from '../action-error.tsx'
import { Block } from '../block.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts, useBackupTexts } from '../texts.ts'
import { quarantineQuery, statusQuery, useCompleteBackup, useDatabaseBackup, useExportData } from './backup-calls.ts'
import { AvailableBackups } from './backup-list.tsx'
import { BackupStatusLine, WorkingLine } from './backup-status.tsx'
import { dayIn, sizeIn } from './backup-texts.ts'
import { LastReport } from './last-merge.tsx'
import { MergeDialog } from './merge/merge-dialog.tsx'
import { ScheduleSettings } from './schedule-settings.tsx'

/** A dialog that is open. */
type Open = { what: 'schedule' } | { what: 'import' } | { what: 'restore'; filename?: string }

export function BackupsBlock({ className }: { className: string }) {
  const t = useBackupTexts()
  const query = useQuery(statusQuery)
  const state = query.data
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const workingId = useId()
  // Would be refused now: one thing is done at a time.
  const waiting = state?.working ? { describedBy: workingId } : undefined
  return (
    <Block number="05" title={t.title} className={className}>
      <BackupStatusLine query={query}>
        <Button size="small" onClick={() => setOpen({ what: 'schedule' })}>
          <Moon aria-hidden />
          {t.schedule.open}
        </Button>
      </BackupStatusLine>
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
      {open?.what === 'schedule' && state && <ScheduleSettings {...state} onClose={close} />}
      {open?.what === 'import' && <MergeDialog mode="import" onClose={close} />}
      {open?.what === 'restore' && <MergeDialog mode="restore" filename={open.filename} onClose={close} />}
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
  const warningOf = (kept: typeof work.data) =>
    kept && recordsMissingFrom(kept.filename) > 0 ? leftOut(kept.leftOut) : undefined
  const done = (kept: ReplyOf<typeof exportData>) => {
    saveFile(JSON.stringify(kept.data, null, 2), kept.filename || 'export.json')
    const missing = warningOf(kept)
    if (missing) notices.fail(missing)
    else notices.done(t.done)
  }
  return <WorkTile icon={FileDown} t={t} work={work} onDone={done} problem={warningOf(work.data)} />
}

function CompleteTile({ waiting }: TileProps) {
  const { complete: t, leftOut } = useBackupTexts()
  const notices = useNotices()
  const work = useCompleteBackup()
  const warningOf = (made: typeof work.data) => {
    const photos = made?.missingImages && t.missing(made.missingImages, made.missingFrom, made.missingFromMessages)
    return [photos, made?.missingRecords && leftOut(made.leftOut)].filter(Boolean).join(' ') || undefined
  }
  const done = (made: typeof work.data) => {
    const missing = warningOf(made)
    if (missing) notices.fail(missing)
    else notices.done(t.done)
  }
  return <WorkTile icon={Archive} t={t} work={work} waiting={waiting} onDone={done} problem={warningOf(work.data)} />
}

type WorkTileProps<Answer> = {
  icon: LucideIcon
  t: Record<'title' | 'text' | 'action' | 'busy' | 'failed', string>
  work: UseMutationResult<Answer, Error, undefined>
  waiting?: Waiting
  onDone(answer: Answer): void
  /** What is missing although it succeeded. */
  problem?: string | undefined
}

/** A tile that shows its own progress and failure. */
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

/** Hands a text to the browser as a download. */
function saveFile(text: string, filename: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = filename
  link.click()
  // Only later: the browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 1_000)
}

/** The id of the line that says why backups and restores have to wait. */
type Waiting = { describedBy: string } | undefined

type Props = {
  icon: LucideIcon
  title: string
  text: string
  action: string
  busy?: boolean
  waiting: Waiting
  /** Why it failed the last time. */
  problem?: string | undefined
  onAct(): void
}

/** An action with its explanation. What the server would refuse is not sent. */
function Tile({ icon: Icon, title, text, action, busy = false, waiting, problem, onAct }: Props) {
  const { working } = useBackupTexts()
  const notices = useNotices()
  return (
    <li className="flex flex-col gap-3 bg-(--raised) p-5 sm:last:col-span-2 xl:last:col-span-1">
      <Icon aria-hidden className="size-5 text-(--accent)" />
      <h3 className="text-xl">{title}</h3>
      <p className="mb-auto text-[0.9375rem] text-(--quiet)">{text}</p>
      <Button
        size="small"
        disabled={busy}
        aria-busy={busy}
        {...(waiting && !busy && { 'aria-disabled': true, 'aria-describedby': waiting.describedBy })}
        onClick={({ detail }) => {
          if (detail > 1) return
          if (waiting) notices.fail(working.refused)
          else onAct()
        }}
        className="mt-2 w-full aria-disabled:opacity-60"
      >
        {action}
      </Button>
      <ActionError>{problem}</ActionError>
    </li>
  )
}

function BackupInfo({ className }: { className: string }) {
  const { info } = useBackupTexts()
  return (
    <section
      aria-labelledby="backup-info"
      className={cn('self-start border border-(--line) border-l-4 border-l-brass bg-(--raised) p-5 sm:p-6', className)}
    >
      <h3 id="backup-info" className="text-xl">
        {info.title}
      </h3>
      <dl className="mt-3 grid gap-2 text-[0.9375rem]">
        {info.points.map(([name, text]) => (
          <div key={name}>
            <dt className="inline font-medium">{`${name}: `}</dt>
            <dd className="inline text-(--quiet)">{text}</dd>
          </div>
        ))}
      </dl>
      <ul className="mt-4 grid gap-2 border-t border-(--line) pt-4 text-[0.9375rem]">
        {info.tips.map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
      <Quarantine />
    </section>
  )
}

/** Photos that nothing refers to. Renders nothing when there are none, or when that could not be read. */
function Quarantine() {
  const { info } = useBackupTexts()
  const { locale } = useAdminTexts()
  const { photos, bytes, since } = useQuery(quarantineQuery).data ?? { photos: 0, bytes: 0, since: null }
  if (photos === 0 || !since) return null
  const sentence = info.quarantine({ photos, size: sizeIn(locale, bytes), since: dayIn(locale, since), days: quarantineDays })
  return <p className="mt-4 border-t border-(--line) pt-4 text-sm text-(--quiet)">{sentence}</p>
}
