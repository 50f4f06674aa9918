import type { MergeSource, MergePreview as Preview } from '#contract/restores.ts'
import { type SiteField, siteFields } from '#contract/site-fields.ts'
import { useFieldName, useShownValue } from '../../site-content/field-names.ts'
import { dateIn, useAdminTexts, useBackupTexts } from '../../texts.ts'
import { Differences } from './differences.tsx'
import { changesNothing, countsOf, isArchive, notListed } from './merge-preview.rules.ts'
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
  const admin = useAdminTexts()
  const siteFieldName = useFieldName()
  const shownValue = useShownValue()
  const previewed = { source, isArchive: isArchive(filename) }
  const nameOf = (field: string) => (isSiteField(field) ? siteFieldName(field) : field)
  const tell = (field: string, value: string) => (isSiteField(field) ? shownValue(field, value) : value)
  const left = notListed(preview)
  return (
    <section aria-labelledby="merge-preview" className="min-w-0">
      <h3 id="merge-preview" className="text-xl">
        {t.title}
      </h3>
      <p className="mt-1 font-mono text-sm text-(--quiet) wrap-anywhere">
        {t.of(filename, preview.createdAt ? dateIn(admin, preview.createdAt) : '')}
      </p>
      <Counts preview={preview} />
      {changesNothing(preview) && <p className="mt-4">{t.nothing}</p>}
      {preview.missingImages > 0 && <p className="mt-4 font-medium text-(--danger)">{t.missing(preview.missingImages)}</p>}
      {preview.changes.length > 0 && (
        <ProjectChanges changes={preview.changes} previewed={previewed} without={without} onChange={onChange} isBusy={isBusy} />
      )}
      {left > 0 && <p className="mt-4">{t.more(left)}</p>}
      {preview.site.length > 0 && (
        <section aria-labelledby="merge-site" className="mt-7">
          <h4 id="merge-site" className="mb-3 text-lg">
            {t.site}
          </h4>
          <Differences differences={preview.site} previewed={previewed} nameOf={nameOf} none={t.original} tell={tell} />
        </section>
      )}
    </section>
  )
}

/** How many of each, as a small table. */
function Counts({ preview }: { preview: Preview }) {
  const { preview: t } = useBackupTexts()
  return (
    <dl className="mt-4 border border-(--line) bg-(--raised)">
      {countsOf(preview).map(({ name, added, changed, alreadyThere }) => (
        <div
          key={name}
          className="grid gap-x-4 border-(--line) px-4 py-2.5 not-last:border-b sm:grid-cols-[11rem_minmax(0,1fr)_auto] sm:items-baseline"
        >
          <dt className="text-sm text-(--quiet)">{t.names[name]}</dt>
          <dd className="flex flex-wrap gap-x-4 font-medium">
            {added > 0 && <span>{t.added(added)}</span>}
            {changed > 0 && <span>{t.changed(changed)}</span>}
          </dd>
          {alreadyThere > 0 && <dd className="text-sm text-(--quiet)">{t.alreadyThere(alreadyThere)}</dd>}
        </div>
      ))}
    </dl>
  )
}

const isSiteField = (field: string): field is SiteField => (siteFields as readonly string[]).includes(field)
