import type { ReactNode } from 'react'
import { defaultOf } from '#content/site-defaults.ts'
import { ruleOfField, type SiteField } from '#contract/site-fields.ts'
import { Button } from '../../ui/button.tsx'
import { useYourSiteTexts } from '../texts.ts'
import { addressOf, pointOf } from './built-photos.ts'
import { type Conflict, fieldNow, photoOf } from './draft.rules.ts'
import { PhotoWithPoint } from './point-picker.tsx'
import type { ReadDraft } from './site-calls.ts'
import { useFieldName } from './use-field-name.ts'
import { useShownValue } from './use-shown-value.ts'

/** Both texts of each field that two people have changed, until one of them is chosen. Always in view. */
export function Conflicts({ conflicts, site }: { conflicts: readonly Conflict[]; site: ReadDraft }) {
  const { conflict: t } = useYourSiteTexts()
  const { content, typed, draft } = site
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
              <Side name={t.mine}>
                <Shown field={field} value={mine} content={content} typed={typed} />
              </Side>
              <Side name={t.theirs(author)}>
                <Shown field={field} value={theirs} content={content} typed={{}} />
              </Side>
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

function Side({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="border border-(--line) bg-(--raised) px-3 py-2">
      <dt className="text-sm text-(--quiet)">{name}</dt>
      <dd className="max-h-32 overflow-y-auto text-[0.9375rem] wrap-anywhere">{children}</dd>
    </div>
  )
}

type ShownProps = { field: SiteField; value: string | null } & Pick<ReadDraft, 'content' | 'typed'>

/** As people see it: a photo is shown, and a choice is called what it is called where it is made. */
function Shown({ field, value, content, typed }: ShownProps) {
  const { versions } = useYourSiteTexts()
  const shown = useShownValue()
  const photo = photoOf(field)
  if (photo) {
    const image = fieldNow(content, typed, `photos.${photo}.image`).value
    const point = fieldNow(content, typed, `photos.${photo}.point`).value
    return <PhotoWithPoint address={addressOf(photo, image, 480)} point={pointOf(photo, image, point)} />
  }
  if (ruleOfField(field).kind === 'choice') return shown(field, value ?? defaultOf(field))
  return value === null ? versions.asItCame : shown(field, value)
}
