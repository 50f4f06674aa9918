import { Button } from '../../ui/button.tsx'
import type { Conflict } from './draft.rules.ts'
import type { SiteDraft } from './site-draft.ts'
import { useFieldName } from './use-field-name.ts'
import { useYourSiteTexts } from './your-site-texts.ts'

/** Both texts of each field that two people have changed, until one of them is chosen. Always in view. */
export function Conflicts({ conflicts, draft }: { conflicts: readonly Conflict[]; draft: SiteDraft }) {
  const { conflict: t } = useYourSiteTexts()
  const nameOf = useFieldName()
  return (
    <section
      role="alert"
      aria-label={t.title(conflicts.length)}
      className="max-h-[45dvh] min-h-0 shrink-0 overflow-y-auto border-t border-l-4 border-t-(--line) border-l-(--danger) bg-(--danger)/8 py-3 pr-5 pl-4 sm:pr-8 sm:pl-7"
    >
      <p className="font-medium">{t.title(conflicts.length)}</p>
      <p className="text-[0.9375rem]">{t.text}</p>
      <ul className="mt-3 grid gap-4">
        {conflicts.map(({ field, mine, theirs, author }) => (
          <li key={field}>
            <p className="text-sm font-medium">{nameOf(field)}</p>
            <dl className="mt-1 grid gap-2 sm:grid-cols-2">
              <Side name={t.mine} text={mine} />
              <Side name={t.theirs(author)} text={theirs} />
            </dl>
            <div className="mt-2 flex flex-wrap gap-2">
              <Button size="small" aria-label={`${t.keepMine}: ${nameOf(field)}`} onClick={() => draft.keepMine(field)}>
                {t.keepMine}
              </Button>
              <Button size="small" aria-label={`${t.takeTheirs}: ${nameOf(field)}`} onClick={() => draft.takeTheirs(field)}>
                {t.takeTheirs}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Side({ name, text }: { name: string; text: string | null }) {
  const { conflict: t, versions } = useYourSiteTexts()
  return (
    <div className="border border-(--line) bg-(--raised) px-3 py-2">
      <dt className="text-sm text-(--quiet)">{name}</dt>
      <dd className="max-h-32 overflow-y-auto text-[0.9375rem] wrap-anywhere">
        {text === null ? versions.asItCame : text || t.empty}
      </dd>
    </div>
  )
}
