import { useQuery } from '@tanstack/react-query'
import { useBackupTexts } from '../../texts.ts'
import { stateQuery } from '../backup-calls.ts'
import { Progress } from '../working-line.tsx'
import type { useMerge } from './use-merge.ts'

/** How far it is, and what is being done. Says nothing while there is something to choose. */
export function MergeProgress({ merge, busy }: { merge: ReturnType<typeof useMerge>; busy: string }) {
  const t = useBackupTexts()
  const { data: state } = useQuery(stateQuery)
  const { stage, error, sent, isResumed, isApplying, isLost } = merge
  const working = isApplying ? state?.working : undefined
  const isGoing = isApplying || ((stage === 'sending' || stage === 'looking') && !error)
  const sentence = () => {
    if (isLost) return t.merge.lost
    if (working) return t.working.line(t.working.kinds[working.kind], t.working.steps[working.step])
    if (isApplying) return busy
    if (stage === 'looking') return t.merge.looking
    return isResumed ? t.merge.resumed : t.merge.uploading
  }
  return (
    <>
      {/* Always there, and without numbers: they would be read out all the time. */}
      <p role="status" className="sr-only">
        {isGoing && sentence()}
      </p>
      {isGoing && !isApplying && stage === 'sending' && (
        <div>
          <Progress label={sentence()} done={sent} total={1} unit="percent" />
          <p className="mt-2 text-sm text-(--quiet)">{t.merge.keeps}</p>
        </div>
      )}
      {isGoing && (isApplying || stage === 'looking') && (
        <Progress label={sentence()} done={working?.done ?? 0} total={working?.total ?? 0} />
      )}
    </>
  )
}
