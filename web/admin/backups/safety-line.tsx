import { CircleX, type LucideIcon, RotateCcw, ShieldCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { problemSentence } from '#content/problem-sentence.ts'
import { type Safety, safetyOf } from '#content/safety-line.ts'
import type { BackupState, CareFault } from '#contract/backup-care.ts'
import type { ProblemReply } from '#contract/problems.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { useAdminTexts, useBackupTexts, useProblemTexts } from '../texts.ts'

const looks: Record<Safety['tone'], { icon: LucideIcon; place: string; mark: string }> = {
  safe: { icon: ShieldCheck, place: 'border-l-verdigris bg-verdigris/10', mark: 'text-verdigris' },
  missing: { icon: TriangleAlert, place: 'border-l-brass bg-brass/10', mark: 'text-brass-deep' },
  failed: { icon: CircleX, place: 'border-l-oxide bg-oxide/8', mark: 'text-oxide' },
}

type Props = {
  query: { data: BackupState | undefined; isError: boolean; refetch(): unknown }
  /** What there is to do about it. */
  children: ReactNode
}

/** One line that tells the truth: what is safe since when, or what is missing. */
export function SafetyLine({ query: { data, isError, refetch }, children }: Props) {
  const { line } = useBackupTexts()
  const { locale, common } = useAdminTexts()
  const sentence = useFaultSentence()
  // What was read before may not be true any more.
  const safety = data && !isError ? safetyOf(data, { locale, line, sentence }) : undefined
  const { icon: Icon, place, mark } = looks[safety?.tone ?? 'missing']
  const known = safety ? place : isError ? looks.failed.place : 'border-l-(--line) bg-(--raised)'
  return (
    <div
      data-slot="safety"
      data-tone={safety?.tone}
      className={cn('flex flex-wrap items-start gap-x-6 gap-y-3 border-x border-b border-l-4 border-(--line) px-5 py-4', known)}
    >
      {/* Always there, so that what changes is read out. */}
      <div role="status" className="flex min-w-[min(15rem,100%)] flex-1 gap-3">
        {safety && <Icon aria-hidden className={cn('mt-0.5 size-5 shrink-0', mark)} />}
        <div className="grid gap-1 wrap-anywhere">
          {safety?.sentences.map((each, index) => (
            <p key={each} className={cn(index === 0 && 'font-medium')}>
              {each}
            </p>
          ))}
          {safety && safety.notes.length > 0 && <p className="text-sm text-(--quiet)">{safety.notes.join(' ')}</p>}
          {!safety && <p className={cn(!isError && 'text-(--quiet)')}>{isError ? line.failed : line.loading}</p>}
        </div>
      </div>
      {safety && children}
      {!safety && isError && (
        <Button size="small" onClick={() => refetch()}>
          <RotateCcw aria-hidden />
          {common.retry}
        </Button>
      )}
    </div>
  )
}

/** A failure in the maker's language; empty when there are no words for it. */
function useFaultSentence() {
  const texts = useProblemTexts()
  return ({ code, details }: CareFault) => problemSentence(texts, { code, details: details as ProblemReply['details'] }) ?? ''
}
