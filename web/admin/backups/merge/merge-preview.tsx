import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { categories } from '#contract/first-visit.ts'
import { isLanguage, languageName } from '#contract/languages.ts'
import type { Difference, MergePreview as Preview } from '#contract/restores.ts'
import { type SiteField, siteFields } from '#contract/site-fields.ts'
import { useLanguage } from '../../../language/language.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { cn } from '../../../ui/cn.ts'
import { useFieldName, useShownValue } from '../../site-content/field-names.ts'
import { dateIn, useAdminTexts, useBackupTexts } from '../../texts.ts'
import { countsOf } from './merge-preview.rules.ts'
import type { useMerge } from './use-merge.ts'

type Choice = { merge: Pick<ReturnType<typeof useMerge>, 'without' | 'setWithout' | 'step'> }
type Props = Choice & { filename: string; preview: Preview }

/** What an import or a restore would do, before anything is written. */
export function MergePreview({ filename, preview, merge }: Props) {
  const { preview: t } = useBackupTexts()
  const admin = useAdminTexts()
  const siteFieldName = useFieldName()
  const shownValue = useShownValue()
  const nameOf = (field: string) => (isSiteField(field) ? siteFieldName(field) : field)
  const tell = (field: string, value: string) => (isSiteField(field) ? shownValue(field, value) : value)
  const counts = countsOf(preview)
  const left = preview.projects.added + preview.projects.changed - preview.changes.length
  return (
    <section aria-labelledby="merge-preview" className="min-w-0">
      <h3 id="merge-preview" className="text-xl">
        {t.title}
      </h3>
      <p className="mt-1 font-mono text-sm text-(--quiet) wrap-anywhere">
        {t.of(filename, preview.createdAt ? dateIn(admin, preview.createdAt) : '')}
      </p>
      <dl className="mt-4 border border-(--line) bg-(--raised)">
        {counts.map(({ name, added, changed, alreadyThere }) => (
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
      {counts.every(({ added, changed }) => added + changed === 0) && <p className="mt-4">{t.nothing}</p>}
      {preview.missingImages > 0 && <p className="mt-4 font-medium text-(--danger)">{t.missing(preview.missingImages)}</p>}
      {preview.changes.length > 0 && <ProjectChanges changes={preview.changes} merge={merge} />}
      {left > 0 && <p className="mt-4">{t.more(left)}</p>}
      {preview.site.length > 0 && (
        <section aria-labelledby="merge-site" className="mt-7">
          <h4 id="merge-site" className="mb-3 text-lg">
            {t.site}
          </h4>
          <Differences differences={preview.site} nameOf={nameOf} none={t.original} tell={tell} />
        </section>
      )}
    </section>
  )
}

const isSiteField = (field: string): field is SiteField => (siteFields as readonly string[]).includes(field)

/** Up to so many models are unfolded. */
const mostUnfolded = 4

/** The models that would be added or changed. Each can be left out. */
function ProjectChanges({ changes, merge: { without, setWithout, step } }: Choice & Pick<Preview, 'changes'>) {
  const { preview: t } = useBackupTexts()
  const { untitled } = useAdminTexts().projects
  const nameOf = useProjectFieldName()
  const chosen = changes.length - without.size
  const toggle = (number: number) => {
    const next = new Set(without)
    if (!next.delete(number)) next.add(number)
    setWithout(next)
  }
  return (
    <fieldset disabled={step === 'merging'} className="mt-7">
      <legend className="font-display text-lg">{t.models}</legend>
      {changes.length > 1 && (
        <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4 border-b border-(--line)">
          <Checkbox
            label={t.all}
            checked={without.size === 0}
            indeterminate={chosen > 0 && without.size > 0}
            onChange={({ target }) => setWithout(new Set(target.checked ? [] : changes.map(({ number }) => number)))}
          />
          <p role="status" className="font-mono text-sm text-(--quiet)">
            {t.chosen(chosen, changes.length)}
          </p>
        </div>
      )}
      <ul>
        {changes.map(({ number, change, title, currentTitle, differences }) => (
          <li key={number} className="border-b border-(--line) py-3">
            <Checkbox
              label={title || untitled}
              aria-label={t.include(title || untitled)}
              checked={!without.has(number)}
              onChange={() => toggle(number)}
            />
            <div className="ml-8 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-(--quiet)">
              <Badge tone={change === 'added' ? 'done' : 'accent'}>{t.changes[change]}</Badge>
              {currentTitle && currentTitle !== title && <span className="wrap-anywhere">{t.titleOnSite(currentTitle)}</span>}
            </div>
            {differences.length > 0 && (
              <details open={changes.length <= mostUnfolded} className="group mt-2 ml-8 max-sm:ml-0">
                <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-2 text-sm [&::-webkit-details-marker]:hidden">
                  <ChevronRight aria-hidden className="size-4 text-(--accent) transition-transform group-open:rotate-90" />
                  {t.differing(differences.length)}
                </summary>
                <Differences differences={differences} nameOf={nameOf} none={t.empty} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** What a field is called in the form of a project. */
function useProjectFieldName() {
  const { preview: t } = useBackupTexts()
  const { projectForm: f, projects } = useAdminTexts()
  const shown = useLanguage()
  const names: Partial<Record<string, string>> = { ...f.labels, ...t.fields, draft: projects.draft }
  return (path: string) => {
    const [first = '', language, field = ''] = path.split('.')
    if (!isLanguage(language)) return names[first] ?? path
    return f.translated(names[field] ?? field, languageName(language, shown.language))
  }
}

type DifferencesProps = {
  differences: readonly Difference[]
  nameOf(field: string): string
  /** What no value means. */
  none: string
  /** A text as people see it. */
  tell?: (field: string, value: string) => string
}

/** Both values of each field that is different; of photos, how many. */
function Differences({ differences, nameOf, none, tell = (_, value) => value }: DifferencesProps) {
  const { preview: t } = useBackupTexts()
  const admin = useAdminTexts()
  const shown = (field: string, value: Difference['current']): ReactNode => {
    if (typeof value === 'boolean') return value ? t.yes : t.no
    if (typeof value === 'number') return value.toLocaleString(admin.locale)
    if (value === null || value.length === 0) return <span className="text-(--quiet)">{value === null ? none : t.empty}</span>
    if (typeof value !== 'string') return value.map((each, index) => `${index + 1}. ${each || t.empty}`).join('\n')
    if (field === 'category') return admin.categories[categories.find((each) => each === value) ?? 'ships']
    return field === 'createdAt' ? dateIn(admin, value, 'minute') : tell(field, value)
  }
  return (
    <ul className="grid gap-4">
      {differences.map(({ field, current, incoming }) => (
        <li key={field}>
          <p className="text-sm font-medium wrap-anywhere">{nameOf(field)}</p>
          {isPhoto(field) ? (
            <p className="text-[0.9375rem]">{t.photos(countOf(current), countOf(incoming))}</p>
          ) : (
            <dl className="mt-1 grid gap-2 sm:grid-cols-2">
              {[current, incoming].map((value, side) => (
                <div
                  key={side === 0 ? t.current : t.incoming}
                  className={cn('border border-(--line) bg-(--raised) px-3 py-2', side === 1 && 'border-l-4 border-l-brass')}
                >
                  <dt className="text-[0.8125rem] text-(--quiet)">{side === 0 ? t.current : t.incoming}</dt>
                  <dd className="text-[0.9375rem] wrap-anywhere whitespace-pre-line">{shown(field, value)}</dd>
                </div>
              ))}
            </dl>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Of a project or of the site. */
const isPhoto = (field: string) => /^photos$|image(Url)?$/i.test(field)

const countOf = (value: Difference['current']) => (Array.isArray(value) ? value.length : value ? 1 : 0)
