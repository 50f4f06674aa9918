import { useQuery } from '@tanstack/react-query'
import { Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { dayAndTime } from '#content/moments.ts'
import { putReportAway, type RestoredReport, undoMerge } from '#contract/restores.ts'
import { call, callAny } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { focusHome } from '../block.tsx'
import { ConfirmCall } from '../confirm-call.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts, useBackupTexts, useTimeZone } from '../texts.ts'
import { useBackupCall, useMergeCall, workQuery } from './backup-calls.ts'
import { Progress } from './backup-status.tsx'
import { changedNothing } from './merge/merge-preview.rules.ts'
import { NotDone } from './merge/outcome.ts'

/** What the last import or restore has done; stays until it is dismissed. */
export function LastReport({ report }: { report: RestoredReport }) {
  const { report: t } = useBackupTexts()
  const { locale } = useAdminTexts()
  const timeZone = useTimeZone()
  const notices = useNotices()
  const putAway = useBackupCall((id: string) => call(putReportAway, { params: { id } }))
  const [isUndoing, setUndoing] = useState(false)
  const { undone } = report
  return (
    <section
      aria-labelledby="last-report"
      className="border-x border-b border-(--line) border-l-4 border-l-verdigris bg-(--raised) py-4 pr-2 pl-5 text-[0.9375rem]"
    >
      <div className="flex items-start gap-3">
        <div className="mr-auto min-w-0 pt-1.5">
          <h3 id="last-report" className="font-text font-medium tracking-normal">
            {t.title[report.mode]}
          </h3>
          <p className="font-mono text-[0.8125rem] text-(--quiet) wrap-anywhere">
            {t.of(report.filename, dayAndTime(locale, timeZone, report.at))}
          </p>
        </div>
        <IconButton
          icon={X}
          label={t.dismiss}
          tip={t.dismissTip}
          disabled={putAway.isPending}
          onClick={({ currentTarget }) => {
            focusHome(currentTarget)
            putAway.mutate(report.id, { onError: (error) => notices.refused(error, t.dismissFailed) })
          }}
        />
      </div>
      <ul className="mt-2 grid gap-0.5 text-(--quiet)">
        <li>{t.added(report.added)}</li>
        <li>{t.broughtBack(report.broughtBack)}</li>
        <li>{t.alreadyThere(report.alreadyThere)}</li>
        {t.site(report.site) && <li>{t.site(report.site)}</li>}
        {report.missingImages > 0 && <li className="font-medium text-(--danger)">{t.missing(report.missingImages)}</li>}
        {changedNothing(report) && <li>{t.unchanged}</li>}
      </ul>
      {undone && (
        <div className="mt-3 border-t border-(--line) pt-3 pr-3">
          <p className="font-medium">{t.undone(dayAndTime(locale, timeZone, undone.at))}</p>
          <ul className="mt-1 grid gap-0.5 text-(--quiet)">
            <li>{t.reverted(undone)}</li>
            {undone.site && <li>{t.revertedSite}</li>}
            {undone.left > 0 && <li className="font-medium text-(--danger)">{t.left(undone.left)}</li>}
          </ul>
        </div>
      )}
      {report.canUndo && (
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button icon={Undo2} aria-describedby="undo-hint" onClick={() => setUndoing(true)}>
            {t.undo}
          </Button>
          <p id="undo-hint" className="text-sm text-(--quiet)">
            {t.undoHint}
          </p>
        </div>
      )}
      {isUndoing && <UndoMerge report={report} onClose={() => setUndoing(false)} />}
    </section>
  )
}

/** Confirms, and undoes the last import or restore. */
function UndoMerge({ report, onClose }: { report: RestoredReport; onClose(): void }) {
  const t = useBackupTexts()
  const undo = useMergeCall((id: string): Promise<RestoredReport> => callAny(undoMerge, { params: { id } }))
  const { data: work } = useQuery({ ...workQuery, enabled: false })
  return (
    <ConfirmCall
      call={undo}
      input={report.id}
      title={t.report.undoTitle}
      text={t.report.undoText(report.added.projects, report.broughtBack.projects, report.added.contacts)}
      action={t.report.undo}
      busy={t.report.undoing}
      isLost={undo.isLost}
      failed={(error) => (error instanceof NotDone ? t.merge.lostUnchanged : t.report.undoFailed)}
      inServersWords
      onDone={({ undone }) => (undone?.left ? t.report.left(undone.left) : t.report.undoDone)}
      onClose={onClose}
    >
      {undo.isPending && <Progress label={undo.isLost ? t.merge.lost : t.working.kinds.undo} {...work?.working} />}
    </ConfirmCall>
  )
}
