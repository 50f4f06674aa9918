import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { BackupState } from '#contract/backup-care.ts'
import { type RestoredReport, undoMerge } from '#contract/restores.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ActionError } from '../action-error.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { useNotices } from '../notices.ts'
import { useAdminTexts, useBackupTexts } from '../texts.ts'
import { stateQuery, useRefresh, workKey } from './backup-calls.ts'
import { NotDone, withOutcome } from './merge/outcome.ts'
import { Progress } from './working-line.tsx'

/** Asks before the last import or restore is undone, and undoes it. */
export function UndoMerge({ report, onClose }: { report: RestoredReport; onClose(): void }) {
  const t = useBackupTexts()
  const { common } = useAdminTexts()
  const notices = useNotices()
  const { undo, isLost } = useUndo(report.id)
  const { data: state } = useQuery(stateQuery)
  const { added, broughtBack } = report
  const fallback = (error: unknown) => (error instanceof NotDone ? t.merge.lostUndone : t.report.undoFailed)
  const confirm = () =>
    undo.mutate(undefined, {
      onSuccess: ({ undone }) => {
        notices.done(undone?.left ? t.report.left(undone.left) : t.report.undoDone)
        onClose()
      },
      onError: (error) => notices.refused(error, fallback(error)),
    })
  return (
    <ConfirmDialog
      open
      onCancel={onClose}
      onConfirm={confirm}
      title={t.report.undoTitle}
      text={t.report.undoText(added.projects, broughtBack.projects, added.contacts)}
      cancelLabel={common.cancel}
      confirmLabel={undo.isPending ? t.report.undoing : t.report.undo}
      // Nobody is kept here by a connection that may not come back.
      busy={undo.isPending && !isLost}
      ready={!undo.isPending}
    >
      {undo.isPending && (
        <Progress
          label={isLost ? t.merge.lost : t.working.kinds.undo}
          done={state?.working?.done ?? 0}
          total={state?.working?.total ?? 0}
        />
      )}
      <ActionError>{notices.lasting(undo.error, fallback(undo.error))}</ActionError>
    </ConfirmDialog>
  )
}

function useUndo(id: string) {
  const cache = useQueryClient()
  const { afterMerge } = useRefresh()
  const [isLost, setLost] = useState(false)
  const shown = useRef(new AbortController())
  useEffect(() => () => shown.current.abort(), [])
  const endIn = ({ lastMerge }: BackupState) => (lastMerge?.id === id && lastMerge.undone ? lastMerge : undefined)
  const undo = useMutation({
    mutationKey: workKey,
    mutationFn: () =>
      withOutcome(() => callConfirmed(undoMerge, { params: { id } }), {
        onLost: () => setLost(true),
        readState: () => cache.fetchQuery({ ...stateQuery, staleTime: 0 }),
        endIn,
        signal: shown.current.signal,
      }),
    onSettled: () => setLost(false),
    onSuccess: afterMerge,
  })
  return { undo, isLost }
}
