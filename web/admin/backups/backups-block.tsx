import { useQuery } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Database, FileDown, FileUp, type LucideIcon, Moon } from 'lucide-react'
import { useId, useState } from 'react'
import type { BackupTexts } from '#content/en/backups.ts'
import { sizeIn } from '#content/sizes.ts'
import { isInBackground } from '#contract/backup-status.ts'
import { createCompleteBackup, createDatabaseBackup, exportData, recordsMissingFrom } from '#contract/backups.ts'
import { quarantineDays } from '#contract/images.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { ActionError } from '../action-error.tsx'
import { Block } from '../block.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { useNotices } from '../notices.ts'
import { useAdminTexts, useBackupTexts } from '../texts.ts'
import { startDownload } from '../use-download.ts'
import { quarantineQuery, useBackupCall, useBackupStatus, workKey } from './backup-calls.ts'
import { AvailableBackups } from './backup-list.tsx'
import { BackupStatusLine, WorkingLine } from './backup-status.tsx'
import { LastReport } from './last-merge.tsx'
import { MergeDialog } from './merge/merge-dialog.tsx'
import { ScheduleSettings } from './schedule-settings.tsx'

/** A dialog that is open. */
type Open = { what: 'schedule' } | { what: 'import' | 'restore'; filename?: string }

export function BackupsBlock({ className }: { className: string }) {
  const t = useBackupTexts()
  const { query, working } = useBackupStatus()
  const { data: status } = query
  const report = status?.lastMerge
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const database = useJob(t.database, () => call(createDatabaseBackup).then(() => ''))
  const exported = useJob(t.export, () => exportAndDownload(t))
  const complete = useJob(t.complete, () => makeCompleteBackup(t))
  const newest = status?.lastGood && { filename: status.lastGood.filename }
  const workingId = useId()
  // Would be refused now: one job runs at a time.
  const waitsFor = working && !isInBackground(working) ? workingId : undefined
  return (
    <Block number="05" title={t.title} whole={t.all} className={className}>
      <BackupStatusLine query={query}>
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-auto">
          <TileButton t={{ ...t.complete, action: t.line.makeOne }} {...complete} waitsFor={waitsFor} />
          <Button icon={ArchiveRestore} onClick={() => setOpen({ what: 'restore', ...newest })}>
            {t.line.bringBack}
          </Button>
          <Button icon={Moon} tone="quiet" onClick={() => setOpen({ what: 'schedule' })}>
            {t.schedule.open}
          </Button>
        </div>
      </BackupStatusLine>
      <WorkingLine working={working} id={workingId} />
      {/* The key: an open confirmation must not move to another report. */}
      <div role="status">{report && <LastReport key={report.id} report={report} />}</div>
      <ul className="grid gap-px max-md:in-data-short:hidden border-x border-b border-(--line) bg-(--line) sm:grid-cols-2 xl:grid-cols-5">
        <Tile icon={Database} t={t.database} {...database} waitsFor={waitsFor} />
        <Tile icon={FileDown} t={t.export} {...exported} waitsFor={waitsFor} />
        <Tile icon={FileUp} t={t.import} waitsFor={waitsFor} onAct={() => setOpen({ what: 'import' })} />
        <Tile icon={Archive} t={t.complete} {...complete} waitsFor={waitsFor} />
        <Tile icon={ArchiveRestore} t={t.restore} waitsFor={waitsFor} onAct={() => setOpen({ what: 'restore' })} />
      </ul>
      <div className="mt-8 grid gap-x-12 gap-y-8 max-md:in-data-short:hidden lg:grid-cols-12">
        <AvailableBackups
          className="lg:col-span-8"
          isEncrypted={status?.encrypted === true}
          onRestore={(filename) => setOpen({ what: 'restore', filename })}
        />
        <BackupInfo className="lg:col-span-4" />
      </div>
      {open?.what === 'schedule' && status && <ScheduleSettings settings={status.settings} onClose={close} />}
      {open && open.what !== 'schedule' && <MergeDialog mode={open.what} filename={open.filename} onClose={close} />}
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
  const photos = made.missingImages > 0 && t.missing(made.missingImages, made.missingFrom)
  return [photos, made.missingRecords > 0 && leftOut(made.leftOut)].filter(Boolean).join(' ')
}

/** A job that says its outcome. `run` returns what is missing although it succeeded. */
function useJob(t: BackupTexts['database'], run: () => Promise<string>) {
  const notices = useNotices()
  const { mutate, isPending, error, data: missing } = useBackupCall(run, workKey)
  const onAct = () =>
    mutate(undefined, {
      onSuccess: (warning) => (warning ? notices.fail(warning) : notices.done(t.done)),
      onError: (failure) => notices.refused(failure, t.failed),
    })
  return { isBusy: isPending, problem: notices.lasting(error, t.failed) ?? missing, onAct }
}

type ButtonProps = {
  t: Record<'action' | 'busy', string>
  isBusy?: boolean
  /** The id of the line that says what it has to wait for. */
  waitsFor: string | undefined
  className?: string
  onAct(): void
}

/** What the server would refuse is not sent. */
function TileButton({ t, isBusy = false, waitsFor, className, onAct }: ButtonProps) {
  const { working } = useBackupTexts()
  const notices = useNotices()
  return (
    <Button
      disabled={isBusy}
      aria-busy={isBusy}
      {...(waitsFor && !isBusy && { 'aria-disabled': true, 'aria-describedby': waitsFor })}
      onClick={({ detail }) => detail < 2 && (waitsFor ? notices.fail(working.refused) : onAct())}
      className={cn('aria-disabled:opacity-60', className)}
    >
      {isBusy ? t.busy : t.action}
    </Button>
  )
}

type TileProps = ButtonProps & {
  icon: LucideIcon
  t: Record<'title' | 'text', string>
  /** Why it failed the last time, or what is missing. */
  problem?: string | undefined
}

/** An action with its explanation. */
function Tile({ icon: Icon, problem, ...button }: TileProps) {
  return (
    <li className="flex flex-col gap-3 bg-(--raised) p-5 sm:last:col-span-2 xl:last:col-span-1">
      <Icon aria-hidden className="size-5 text-(--accent)" />
      <h3 className="text-xl">{button.t.title}</h3>
      <p className="mb-auto text-[0.9375rem] text-(--quiet)">{button.t.text}</p>
      <TileButton {...button} className="mt-2 w-full" />
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
