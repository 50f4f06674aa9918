import type { MergeReport } from '#contract/backups.ts'
import { useBackupTexts } from './backup-texts.ts'

/** What an import or a restore has really done, in numbers that stay when the notice has gone. */
export function LastReport({ report }: { report: MergeReport | undefined }) {
  const { report: t } = useBackupTexts()
  return (
    <div role="status">
      {report && (
        <div className="border-x border-b border-(--line) border-l-4 border-l-verdigris bg-(--raised) px-5 py-4 text-[0.9375rem]">
          <h3 className="font-text font-medium tracking-normal">{t.title}</h3>
          <ul className="mt-1 text-(--quiet)">
            <li>{t.added(report.added)}</li>
            <li>{t.broughtBack(report.broughtBack.projects)}</li>
            <li>{t.alreadyThere(report.alreadyThere)}</li>
            {report.missingImages > 0 && <li className="font-medium text-(--danger)">{t.missing(report.missingImages)}</li>}
            <li className="wrap-anywhere">{report.restorePoint ? t.restorePoint(report.restorePoint) : t.unchanged}</li>
          </ul>
        </div>
      )}
    </div>
  )
}
