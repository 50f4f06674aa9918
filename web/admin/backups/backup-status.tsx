import { CircleX, type LucideIcon, RotateCcw, ShieldCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { backupStatusOf, type StatusLine } from '#content/backup-sentences.ts'
import { problemSentence } from '#content/problem-sentence.ts'
import { type BackupFault, type BackupStatus, isInBackground, type Working } from '#contract/backup-status.ts'
import type { ProblemReply } from '#contract/problems.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { useAdminTexts, useBackupTexts, useProblemTexts } from '../texts.ts'

const looks: Record<StatusLine['tone'], { icon: LucideIcon; place: string; mark: string }> = {
  safe: { icon: ShieldCheck, place: 'border-l-verdigris bg-verdigris/10', mark: 'text-verdigris' },
  missing: { icon: TriangleAlert, place: 'border-l-brass bg-brass/10', mark: 'text-brass-deep' },
  failed: { icon: CircleX, place: 'border-l-oxide bg-oxide/8', mark: 'text-oxide' },
}

type Props = {
  query: { data: BackupStatus | undefined; isError: boolean; refetch(): unknown }
  /** What there is to do about it. */
  children: ReactNode
}

/** What is backed up since when, or which warnings there are. */
export function BackupStatusLine({ query: { data, isError, refetch }, children }: Props) {
  const { line } = useBackupTexts()
  const { locale, common } = useAdminTexts()
  const problems = useProblemTexts()
  const sentence = ({ code, details }: BackupFault) =>
    problemSentence(problems, { code, details: details as ProblemReply['details'] }) ?? ''
  // After a failed read the last status may be wrong.
  const status = data && !isError ? backupStatusOf(data, { locale, line, sentence }) : undefined
  const { icon: Icon, place, mark } = looks[status?.tone ?? 'missing']
  const tone = status ? place : isError ? looks.failed.place : 'border-l-(--line) bg-(--raised)'
  return (
    <div
      data-slot="backup-status"
      data-tone={status?.tone}
      className={cn('flex flex-wrap items-start gap-x-6 gap-y-3 border-x border-b border-l-4 border-(--line) px-5 py-4', tone)}
    >
      {/* Always rendered: screen readers announce changes only inside an existing status. */}
      <div role="status" className="flex min-w-[min(15rem,100%)] flex-1 gap-3">
        {status && <Icon aria-hidden className={cn('mt-0.5 size-5 shrink-0', mark)} />}
        <div className="grid gap-1 wrap-anywhere">
          {status?.sentences.map((each, index) => (
            <p key={each} className={cn(index === 0 && 'font-medium')}>
              {each}
            </p>
          ))}
          {status && status.notes.length > 0 && <p className="text-sm text-(--quiet)">{status.notes.join(' ')}</p>}
          {!status && <p className={cn(!isError && 'text-(--quiet)')}>{isError ? line.failed : line.loading}</p>}
        </div>
      </div>
      {status && children}
      {!status && isError && (
        <Button icon={RotateCcw} onClick={() => refetch()}>
          {common.retry}
        </Button>
      )}
    </div>
  )
}

/** The running job. Buttons that have to wait for it are described by it. */
export function WorkingLine({ working, id }: { working: Working | null; id: string }) {
  const { working: t } = useBackupTexts()
  const isQuiet = working !== null && isInBackground(working)
  const sentence = working && (isQuiet ? `${t.kinds[working.kind]}…` : t.line(t.kinds[working.kind], t.steps[working.step]))
  const place = 'border-x border-b border-(--line) bg-(--raised) px-5'
  return (
    <div id={id}>
      {/* Always rendered, and without numbers: screen readers would announce them every second. */}
      <p role="status" className={isQuiet ? cn(place, 'py-2.5 text-sm text-(--quiet)') : 'sr-only'}>
        {sentence}
      </p>
      {working && sentence && !isQuiet && (
        <div className={cn(place, 'py-4')}>
          <Progress label={sentence} {...working} />
          <p className="mt-2 text-sm text-(--quiet)">{t.others}</p>
        </div>
      )}
    </div>
  )
}

/** Without a total the bar is indeterminate. */
export function Progress({ label, done = 0, total = 0 }: { label: string; done?: number; total?: number }) {
  const percent = new Intl.NumberFormat(useAdminTexts().locale, { style: 'percent' })
  return (
    <div>
      <div aria-hidden="true" className="flex flex-wrap justify-between gap-x-4 text-[0.9375rem]">
        <p>{label}</p>
        {total > 0 && <p className="font-mono text-sm">{percent.format(Math.min(1, done / total))}</p>}
      </div>
      <progress
        aria-label={label}
        {...(total > 0 && { value: Math.min(done, total), max: total })}
        className={cn(
          'mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-[2px] bg-bone-line [&::-webkit-progress-bar]:bg-bone-line',
          '[&::-moz-progress-bar]:bg-brass [&::-webkit-progress-value]:bg-brass motion-safe:[&::-webkit-progress-value]:transition-[width]',
          'indeterminate:motion-safe:animate-pulse indeterminate:[&::-moz-progress-bar]:bg-brass/60 indeterminate:[&::-webkit-progress-bar]:bg-brass/60',
        )}
      />
    </div>
  )
}
