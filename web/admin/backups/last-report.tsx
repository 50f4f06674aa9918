import { Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { dayAndTime } from '#content/told-moments.ts'
import type { BackupState } from '#contract/backup-care.ts'
import type { RestoredReport } from '#contract/restores.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts, useBackupTexts } from '../texts.ts'
import { usePutReportAway } from './backup-calls.ts'
import { UndoMerge } from './undo-merge.tsx'

/** What an import or a restore has really done, in numbers that stay until they are put away. */
export function LastReport({ state }: { state: BackupState | undefined }) {
  const report = state?.lastMerge
  // Each has its own: a question about one never becomes one about another.
  return <div role="status">{report && <Report key={report.id} report={report} timeZone={state.timeZone} />}</div>
}

function Report({ report, timeZone }: { report: RestoredReport; timeZone: string }) {
  const { report: t } = useBackupTexts()
  const { locale } = useAdminTexts()
  const notices = useNotices()
  const putAway = usePutReportAway()
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
          label={t.putAway}
          tip={t.putAwayTip}
          disabled={putAway.isPending}
          onClick={({ currentTarget }) => {
            const home = currentTarget.closest<HTMLElement>('[data-focus-home]')
            putAway.mutate(report.id, {
              onSuccess: () => home?.focus({ preventScroll: true }),
              onError: (error) => notices.refused(error, t.putAwayFailed),
            })
          }}
        >
          <X aria-hidden />
        </IconButton>
      </div>
      <ul className="mt-2 grid gap-0.5 text-(--quiet)">
        <li>{t.added(report.added)}</li>
        <li>{t.broughtBack(report.broughtBack)}</li>
        <li>{t.alreadyThere(report.alreadyThere)}</li>
        {t.site(report.site) && <li>{t.site(report.site)}</li>}
        {report.missingImages > 0 && <li className="font-medium text-(--danger)">{t.missing(report.missingImages)}</li>}
        <li className="wrap-anywhere">{report.restorePoint ? t.restorePoint(report.restorePoint) : t.unchanged}</li>
      </ul>
      {undone && (
        <div className="mt-3 border-t border-(--line) pt-3 pr-3">
          <p className="font-medium">{t.undone(dayAndTime(locale, timeZone, undone.at))}</p>
          <ul className="mt-1 grid gap-0.5 text-(--quiet)">
            <li>{t.undid(undone)}</li>
            {undone.site && <li>{t.undidSite}</li>}
            {undone.left > 0 && <li className="font-medium text-(--danger)">{t.left(undone.left)}</li>}
          </ul>
        </div>
      )}
      {report.canUndo && (
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button size="small" aria-describedby="undo-hint" onClick={() => setUndoing(true)}>
            <Undo2 aria-hidden />
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
