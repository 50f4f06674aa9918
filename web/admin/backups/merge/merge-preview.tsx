import type { MergeSource, MergePreview as Preview } from '#contract/restores.ts'
import { type SiteField, siteFields } from '#contract/site-fields.ts'
import { useAdminTexts } from '../../texts.ts'
import { useFieldName } from '../../your-site/use-field-name.ts'
import { dayIn, useBackupTexts } from '../backup-texts.ts'
import { Differences } from './differences.tsx'
import { changesNothing, countsOf, notListed } from './preview.rules.ts'
import { ProjectChanges } from './project-changes.tsx'

type Props = {
  filename: string
  source: MergeSource
  preview: Preview
  without: ReadonlySet<number>
  onChange(without: ReadonlySet<number>): void
  isBusy: boolean
}

/** What an import or a restore would do, before anything is written. */
export function MergePreview({ filename, source, preview, without, onChange, isBusy }: Props) {
  const { preview: t } = useBackupTexts()
  const { locale } = useAdminTexts()
  const siteFieldName = useFieldName()
  const looked = { source, isArchive: 'filename' in source ? source.filename.endsWith('.zip') : preview.mode === 'restore' }
  const nameOf = (field: string) => (isSiteField(field) ? siteFieldName(field) : field)
  const left = notListed(preview)
  return (
    <section aria-labelledby="merge-preview" className="mt-6">
      <h3 id="merge-preview" className="text-xl">
        {t.title}
      </h3>
      <p className="mt-1 font-mono text-sm text-(--quiet) wrap-anywhere">
        {t.of(filename, preview.createdAt ? dayIn(locale, preview.createdAt) : '')}
      </p>
      <Counts preview={preview} />
      {changesNothing(preview) && <p className="mt-4">{t.nothing}</p>}
      {preview.missingImages > 0 && <p className="mt-4 font-medium text-(--danger)">{t.missing(preview.missingImages)}</p>}
      {preview.changes.length > 0 && (
        <ProjectChanges changes={preview.changes} looked={looked} without={without} onChange={onChange} isBusy={isBusy} />
      )}
      {left > 0 && <p className="mt-4">{t.more(left)}</p>}
      {preview.site.length > 0 && (
        <section aria-labelledby="merge-site" className="mt-7">
          <h4 id="merge-site" className="mb-3 text-lg">
            {t.site}
          </h4>
          <Differences differences={preview.site} looked={looked} nameOf={nameOf} none={t.asItCame} />
        </section>
      )}
    </section>
  )
}

/** How many of each, as a small table. */
function Counts({ preview }: { preview: Preview }) {
  const { preview: t } = useBackupTexts()
  return (
    <dl className="mt-4 grid gap-px border border-(--line) bg-(--line) sm:grid-cols-[repeat(auto-fit,minmax(11rem,1fr))]">
      {countsOf(preview).map(({ name, added, changed, alreadyThere }) => (
        <div key={name} className="bg-(--raised) px-4 py-3">
          <dt className="text-sm text-(--quiet)">{t.names[name]}</dt>
          <dd className="mt-0.5">
            {added > 0 && <Count isNews>{t.added(added)}</Count>}
            {changed > 0 && <Count isNews>{t.changed(changed)}</Count>}
            {alreadyThere > 0 && <Count>{t.alreadyThere(alreadyThere)}</Count>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Count({ isNews = false, children }: { isNews?: boolean; children: string }) {
  return <span className={isNews ? 'block font-medium' : 'block text-sm text-(--quiet)'}>{children}</span>
}

const isSiteField = (field: string): field is SiteField => (siteFields as readonly string[]).includes(field)
