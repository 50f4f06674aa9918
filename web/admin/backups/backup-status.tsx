import { CircleX, type LucideIcon, RotateCcw, ShieldCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { backupStatusOf, type StatusLine } from '#content/backup-sentences.ts'
import { problemSentence } from '#content/problem-sentence.ts'
import type { BackupFault, BackupStatus, Working } from '#contract/backup-status.ts'
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
  const sentence = useFaultSentence()
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
        <Button size="small" onClick={() => refetch()}>
          <RotateCcw aria-hidden />
          {common.retry}
        </Button>
      )}
    </div>
  )
}

/** The sentence for a fault; empty when there is none. */
function useFaultSentence() {
  const texts = useProblemTexts()
  return ({ code, details }: BackupFault) => problemSentence(texts, { code, details: details as ProblemReply['details'] }) ?? ''
}

/** The running job and its progress. Buttons that have to wait are described by it. */
export function WorkingLine({ working, id }: { working: Working | null; id: string }) {
  const { working: t } = useBackupTexts()
  const sentence = working && t.line(t.kinds[working.kind], t.steps[working.step])
  return (
    <div id={id}>
      {/* Always rendered, and without numbers: screen readers would announce them every second. */}
      <p role="status" className="sr-only">
        {sentence}
      </p>
      {working && sentence && (
        <div className="border-x border-b border-(--line) bg-(--raised) px-5 py-4">
          <Progress label={sentence} done={working.done} total={working.total} />
          <p className="mt-2 text-sm text-(--quiet)">{t.others}</p>
        </div>
      )}
    </div>
  )
}

/** Without a total the bar is indeterminate. */
export function Progress({ label, done, total, unit }: { label: string; done: number; total: number; unit?: 'percent' }) {
  const { working: t } = useBackupTexts()
  const { locale } = useAdminTexts()
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  const text = unit === 'percent' ? percent.format(total > 0 ? done / total : 0) : t.counted(done, total)
  return (
    <div>
      <div aria-hidden="true" className="flex flex-wrap justify-between gap-x-4 text-[0.9375rem]">
        <p>{label}</p>
        {total > 0 && <p className="font-mono text-sm">{text}</p>}
      </div>
      <progress
        aria-label={label}
        {...(total > 0 && { value: Math.min(done, total), max: total })}
        className={cn(
          'mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-[2px] bg-bone-line [&::-webkit-progress-bar]:bg-bone-line',
          '[&::-moz-progress-bar]:bg-brass [&::-webkit-progress-value]:bg-brass [&::-webkit-progress-value]:transition-[width]',
          'indeterminate:motion-safe:animate-pulse indeterminate:[&::-moz-progress-bar]:bg-brass/60 indeterminate:[&::-webkit-progress-bar]:bg-brass/60',
        )}
      />
    </div>
  )
}
