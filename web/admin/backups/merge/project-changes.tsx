import { ArrowRight, ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { isLanguage, languageName } from '#contract/languages.ts'
import type { ProjectChange } from '#contract/restores.ts'
import { useLanguage } from '../../../language/language.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { useAdminTexts, useBackupTexts } from '../../texts.ts'
import { Differences, SmallPhoto } from './differences.tsx'
import { coverAddresses, fieldsListed, hasOtherCover, type PreviewedFile, toggled } from './merge-preview.rules.ts'

/** Up to so many are unfolded. */
const mostUnfolded = 4

type Props = {
  changes: readonly ProjectChange[]
  previewed: PreviewedFile
  without: ReadonlySet<number>
  onChange(without: ReadonlySet<number>): void
  isBusy: boolean
}

/** The models that would be added or changed. Each can be left out. */
export function ProjectChanges({ changes, previewed, without, onChange, isBusy }: Props) {
  const { preview: t } = useBackupTexts()
  const chosen = changes.length - without.size
  return (
    <fieldset disabled={isBusy} className="mt-7">
      <legend className="font-display text-lg">{t.models}</legend>
      {changes.length > 1 && (
        <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4 border-b border-(--line)">
          <Tick
            label={t.all}
            isOn={without.size === 0}
            isPartly={chosen > 0 && without.size > 0}
            onChange={(isOn) => onChange(isOn ? new Set() : new Set(changes.map(({ number }) => number)))}
          />
          <p role="status" className="font-mono text-sm text-(--quiet)">
            {t.chosen(chosen, changes.length)}
          </p>
        </div>
      )}
      <ul>
        {changes.map((change) => (
          <Change
            key={change.number}
            change={change}
            previewed={previewed}
            isTaken={!without.has(change.number)}
            isOpen={changes.length <= mostUnfolded}
            onToggle={() => onChange(toggled(without, change.number))}
          />
        ))}
      </ul>
    </fieldset>
  )
}

type ChangeProps = { change: ProjectChange; previewed: PreviewedFile; isTaken: boolean; isOpen: boolean; onToggle(): void }

function Change({ change, previewed, isTaken, isOpen, onToggle }: ChangeProps) {
  const { preview: t } = useBackupTexts()
  const nameOf = useProjectFieldName()
  const { title, currentTitle } = change
  const differences = fieldsListed(change)
  return (
    <li className="border-b border-(--line) py-3" data-taken={isTaken}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-[min(14rem,100%)] flex-1">
          <Tick label={title} name={t.include(title)} isOn={isTaken} onChange={onToggle} />
          <div className="ml-8 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-(--quiet)">
            <Badge tone={change.change === 'added' ? 'done' : 'accent'}>{t.changes[change.change]}</Badge>
            {currentTitle && currentTitle !== title && <span className="wrap-anywhere">{t.titleOnSite(currentTitle)}</span>}
          </div>
        </div>
        <Covers change={change} previewed={previewed} />
      </div>
      {differences.length > 0 && (
        <details open={isOpen} className="group mt-2 ml-8 max-sm:ml-0">
          <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-2 text-sm [&::-webkit-details-marker]:hidden">
            <ChevronRight aria-hidden className="size-4 text-(--accent) transition-transform group-open:rotate-90" />
            {t.differing(differences.length)}
          </summary>
          <Differences differences={differences} previewed={previewed} nameOf={nameOf} none={t.empty} />
        </details>
      )}
    </li>
  )
}

/** The cover, or both where they are different ones. */
function Covers({ change, previewed }: { change: ProjectChange; previewed: PreviewedFile }) {
  const { preview: t } = useBackupTexts()
  const { title, currentPhoto, incomingPhoto } = change
  return (
    <div className="flex items-center gap-2 text-(--quiet) max-sm:ml-8">
      {currentPhoto && hasOtherCover(change) && (
        <>
          <SmallPhoto addresses={coverAddresses(currentPhoto, previewed)} alt={t.currentPhoto(title)} />
          <ArrowRight aria-hidden className="size-4" />
        </>
      )}
      <SmallPhoto addresses={coverAddresses(incomingPhoto, previewed)} alt={t.incomingPhoto(title)} />
    </div>
  )
}

type TickProps = { label: string; name?: string; isOn: boolean; isPartly?: boolean; onChange(isOn: boolean): void }

function Tick({ label, name, isOn, isPartly = false, onChange }: TickProps) {
  const id = useId()
  return (
    <div className="flex items-start">
      <span className="-ml-3 grid size-11 shrink-0 place-items-center">
        <input
          id={id}
          type="checkbox"
          {...(name && { 'aria-label': name })}
          checked={isOn}
          ref={(box) => {
            if (box) box.indeterminate = isPartly
          }}
          onChange={(event) => onChange(event.target.checked)}
          className="size-5 accent-(--color-brass-deep)"
        />
      </span>
      <label htmlFor={id} className="min-w-0 py-2.5 leading-6 font-medium wrap-anywhere">
        {label}
      </label>
    </div>
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
