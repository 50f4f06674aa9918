import type { MergeReport } from '#contract/backups.ts'
import { useBackupTexts } from './backup-texts.ts'

export type LastMerge = { kind: 'import' | 'restore'; report: MergeReport }

/** What an import or a restore has really done, in numbers that stay when the notice has gone. */
export function LastReport({ last }: { last: LastMerge | undefined }) {
  const { report: t } = useBackupTexts()
  return (
    <div role="status">
      {last && (
        <div className="border-x border-b border-(--line) border-l-4 border-l-verdigris bg-(--raised) px-5 py-4 text-[0.9375rem]">
          <h3 className="font-text font-medium tracking-normal">{t.title[last.kind]}</h3>
          <ul className="mt-1 text-(--quiet)">
            <li>{t.added(last.report.added)}</li>
            <li>{t.broughtBack(last.report.broughtBack)}</li>
            <li>{t.alreadyThere(last.report.alreadyThere)}</li>
            {t.site(last.report.site) && <li>{t.site(last.report.site)}</li>}
            {last.report.missingImages > 0 && (
              <li className="font-medium text-(--danger)">{t.missing(last.report.missingImages)}</li>
            )}
            <li className="wrap-anywhere">
              {last.report.restorePoint ? t.restorePoint(last.report.restorePoint) : t.unchanged}
            </li>
          </ul>
        </div>
      )}
    </div>
  )
}
