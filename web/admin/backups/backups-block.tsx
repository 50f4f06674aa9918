import { useQuery } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Database, FileDown, FileUp, type LucideIcon, Moon } from 'lucide-react'
import { useId, useState } from 'react'
import type { BackupTexts } from '#content/en/backups.ts'
import { createCompleteBackup, createDatabaseBackup, exportData, recordsMissingFrom } from '#contract/backups.ts'
import { quarantineDays } from '#contract/images.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { ActionError } from '../action-error.tsx'
import { Block } from '../block.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { LazyDialog, lazyPart } from '../lazy.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts, useBackupTexts } from '../texts.ts'
import { startDownload } from '../use-download.ts'
import { quarantineQuery, useBackupCall, useBackupStatus, workKey } from './backup-calls.ts'
import { AvailableBackups } from './backup-list.tsx'
import { BackupStatusLine, WorkingLine } from './backup-status.tsx'
import { sizeIn } from './backup-texts.ts'
import { LastReport } from './last-merge.tsx'
import { isInBackground } from './merge/outcome.ts'
import { ScheduleSettings } from './schedule-settings.tsx'

/** A dialog that is open. */
type Open = { what: 'schedule' } | { what: 'import' | 'restore'; filename?: string }

const mergeDialog = lazyPart(async () => (await import('./merge/merge-dialog.tsx')).MergeDialog)

export function BackupsBlock({ className }: { className: string }) {
  const t = useBackupTexts()
  const { query, working } = useBackupStatus()
  const { data: status } = query
  const report = status?.lastMerge
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const workingId = useId()
  // Would be refused now: one job runs at a time.
  const waitsFor = working && !isInBackground(working) ? workingId : undefined
  return (
    <Block number="05" title={t.title} className={className}>
      <BackupStatusLine query={query}>
        <Button size="small" onClick={() => setOpen({ what: 'schedule' })}>
          <Moon aria-hidden />
          {t.schedule.open}
        </Button>
      </BackupStatusLine>
      <WorkingLine working={working} id={workingId} />
      {/* The key: an open confirmation must not move to another report. */}
      <div role="status">{report && <LastReport key={report.id} report={report} timeZone={status.timeZone} />}</div>
      <ul className="grid gap-px border-x border-b border-(--line) bg-(--line) sm:grid-cols-2 xl:grid-cols-5">
        <JobTile icon={Database} t={t.database} run={() => call(createDatabaseBackup).then(() => '')} waitsFor={waitsFor} />
        <JobTile icon={FileDown} t={t.export} run={() => exportAndDownload(t)} waitsFor={waitsFor} />
        <Tile icon={FileUp} t={t.import} waitsFor={waitsFor} onAct={() => setOpen({ what: 'import' })} />
        <JobTile icon={Archive} t={t.complete} run={() => makeCompleteBackup(t)} waitsFor={waitsFor} />
        <Tile icon={ArchiveRestore} t={t.restore} waitsFor={waitsFor} onAct={() => setOpen({ what: 'restore' })} />
      </ul>
      <div className="mt-8 grid gap-x-12 gap-y-8 lg:grid-cols-12">
        <AvailableBackups
          className="lg:col-span-8"
          isEncrypted={status?.encrypted === true}
          onRestore={(filename) => setOpen({ what: 'restore', filename })}
        />
        <BackupInfo className="lg:col-span-4" />
      </div>
      {open?.what === 'schedule' && status && <ScheduleSettings {...status} onClose={close} />}
      {open && open.what !== 'schedule' && (
        <LazyDialog part={mergeDialog} props={{ mode: open.what, filename: open.filename, onClose: close }} />
      )}
    </Block>
  )
}

async function exportAndDownload(t: BackupTexts) {
  const { data, filename, leftOut } = await callConfirmed(exportData)
  const address = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
  startDownload(address, filename || 'export.json')
  // Only later: the browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 1_000)
  return recordsMissingFrom(filename) > 0 ? t.leftOut(leftOut) : ''
}

async function makeCompleteBackup({ complete: t, leftOut }: BackupTexts) {
  const made = await call(createCompleteBackup)
  const photos = made.missingImages > 0 && t.missing(made.missingImages, made.missingFrom, made.missingFromMessages)
  return [photos, made.missingRecords > 0 && leftOut(made.leftOut)].filter(Boolean).join(' ')
}

type JobTileProps = Pick<TileProps, 'icon' | 'waitsFor'> & {
  t: BackupTexts['database']
  /** Returns what is missing although it succeeded. */
  run(): Promise<string>
}

/** A tile that shows its own progress and failure. */
function JobTile({ icon, t, run, waitsFor }: JobTileProps) {
  const notices = useNotices()
  const { mutate, isPending, error, data: missing } = useBackupCall(run, workKey)
  const act = () =>
    mutate(undefined, {
      onSuccess: (warning) => (warning ? notices.fail(warning) : notices.done(t.done)),
      onError: (failure) => notices.refused(failure, t.failed),
    })
  const problem = notices.lasting(error, t.failed) ?? missing
  return <Tile icon={icon} t={t} isBusy={isPending} waitsFor={waitsFor} problem={problem} onAct={act} />
}

type TileProps = {
  icon: LucideIcon
  t: Record<'title' | 'text' | 'action' | 'busy', string>
  isBusy?: boolean
  /** The id of the line that says what it has to wait for. */
  waitsFor: string | undefined
  /** Why it failed the last time, or what is missing. */
  problem?: string | undefined
  onAct(): void
}

/** An action with its explanation. What the server would refuse is not sent. */
function Tile({ icon: Icon, t, isBusy = false, waitsFor, problem, onAct }: TileProps) {
  const { working } = useBackupTexts()
  const notices = useNotices()
  return (
    <li className="flex flex-col gap-3 bg-(--raised) p-5 sm:last:col-span-2 xl:last:col-span-1">
      <Icon aria-hidden className="size-5 text-(--accent)" />
      <h3 className="text-xl">{t.title}</h3>
      <p className="mb-auto text-[0.9375rem] text-(--quiet)">{t.text}</p>
      <Button
        size="small"
        disabled={isBusy}
        aria-busy={isBusy}
        {...(waitsFor && !isBusy && { 'aria-disabled': true, 'aria-describedby': waitsFor })}
        onClick={({ detail }) => detail < 2 && (waitsFor ? notices.fail(working.refused) : onAct())}
        className="mt-2 w-full aria-disabled:opacity-60"
      >
        {isBusy ? t.busy : t.action}
      </Button>
      <ActionError>{problem}</ActionError>
    </li>
  )
}

function BackupInfo({ className }: { className: string }) {
  const { info } = useBackupTexts()
  const { locale } = useAdminTexts()
  const { data: quarantine } = useQuery(quarantineQuery)
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
      {quarantine?.since && (
        <p className="mt-4 border-t border-(--line) pt-4 text-sm text-(--quiet)">
          {info.quarantine({
            photos: quarantine.photos,
            size: sizeIn(locale, quarantine.bytes),
            since: new Date(quarantine.since).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' }),
            days: quarantineDays,
          })}
        </p>
      )}
    </section>
  )
}
