import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { type Category, categories } from '#contract/first-visit.ts'
import { type Language, languages, languageTitle } from '#contract/languages.ts'
import {
  accents,
  commissionStates,
  fieldsOf,
  isWords,
  type PhotoName,
  type RuleName,
  type SectionName,
  sectionNames,
  type WordName,
} from '#contract/site-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cn } from '../../ui/cn.ts'
import { RadioCard } from '../../ui/radio-card.tsx'
import { useYourSiteTexts } from '../texts.ts'
import { PhotoPart } from './photo-part.tsx'
import { countsQuery } from './site-calls.ts'
import { groupsIn, originalIn } from './site-draft.rules.ts'
import { ControlGroup, Marked, TextField, useSite, useSiteField } from './text-field.tsx'

type Props = {
  section: SectionName
  isOpen: boolean
  /** The number of unpublished fields. */
  open: number
  onToggle(): void
}

export function SectionCard({ section, isOpen, open, onToggle }: Props) {
  const t = useYourSiteTexts()
  const id = useId()
  const { name, text } = t.sections[section]
  return (
    <li data-section={section} className="scroll-mt-20 border border-(--line) bg-(--raised)">
      <h3 className="font-text">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onToggle}
          className="flex min-h-16 w-full items-center gap-4 px-4 py-3 text-left tracking-normal transition-colors hover:bg-bone sm:px-6"
        >
          <span aria-hidden="true" className="lettering text-(--accent)">
            {String(sectionNames.indexOf(section) + 1).padStart(2, '0')}
          </span>
          <span className="mr-auto min-w-0">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1 font-display text-xl leading-tight wrap-anywhere">
              {name}
              {open > 0 && <Badge tone="accent">{t.openIn(open)}</Badge>}
            </span>
            <span className="mt-0.5 block text-sm leading-snug text-(--quiet)">{text}</span>
          </span>
          <ChevronDown
            className={cn('size-5 shrink-0 text-(--quiet) transition-transform', isOpen && 'rotate-180')}
            aria-hidden
          />
        </button>
      </h3>
      {isOpen && (
        <div id={id} className="divide-y divide-(--line) border-t border-(--line) px-4 sm:px-6">
          {groupsIn(section).map((group) => (
            <div key={group[0]} className="grid gap-5 py-5 empty:hidden">
              {group.map((rule) => (
                <RuleField key={rule} name={rule} />
              ))}
            </div>
          ))}
        </div>
      )}
    </li>
  )
}

/** The control of a field; those that belong to another control render nothing. */
function RuleField({ name }: { name: RuleName }) {
  const [kind, part = '', last] = name.split('.')
  if (kind === 'photos') return last === 'image' ? <PhotoPart photo={part as PhotoName} /> : null
  if (name === 'maker.accent') return <AccentField />
  if (name === 'maker.commissions.state') return <CommissionsField />
  if (name === 'maker.commissions.from') return null
  if (kind === 'maker' && part === 'hidden') return <HiddenField part={last as HiddenPart} />
  if (name === 'about.portrait') return <PortraitText />
  if (isWords(name)) return <WordsField name={name} />
  return fieldsOf(name).map((field) => <TextField key={field} field={field} name={name} />)
}

/** Its description, once there is a portrait. */
function PortraitText() {
  const { isOwn } = useSiteField('photos.portrait.image')
  return isOwn && <WordsField name="about.portrait" />
}

function WordsField({ name }: { name: WordName }) {
  const t = useYourSiteTexts()
  const panel = useLanguage()
  const { content, typed, shown } = useSite()
  const named = (value: Language) => ({ value, label: languageTitle(value, panel.language) })
  const original = originalIn(content, typed, name).map((language) => named(language).label)
  const mark = original.length > 0 && <Badge tone="accent">{t.originalIn(original)}</Badge>
  if (shown !== 'all') {
    return <TextField field={`${shown}.${name}`} name={name} language={{ ...named(shown), isAlone: true }} mark={mark} />
  }
  return (
    <ControlGroup label={t.labels[name]} marked={{ mark }}>
      <div className="grid auto-cols-fr grid-flow-col gap-x-6">
        {languages.map((value) => (
          <TextField key={value} field={`${value}.${name}`} name={name} language={{ ...named(value), isAlone: false }} />
        ))}
      </div>
    </ControlGroup>
  )
}

function CommissionsField() {
  const t = useYourSiteTexts()
  const id = useId()
  const { value, change, ...marked } = useSiteField('maker.commissions.state')
  return (
    <div className="grid gap-5">
      <ControlGroup label={t.labels['maker.commissions.state']} marked={marked}>
        <div className="grid gap-2 sm:grid-cols-3">
          {commissionStates.map((state) => (
            <RadioCard
              key={state}
              name={id}
              label={t.commissions[state]}
              checked={value === state}
              onChange={() => change(state)}
            />
          ))}
        </div>
      </ControlGroup>
      {value === 'from' && <TextField field="maker.commissions.from" name="maker.commissions.from" />}
    </div>
  )
}

const sample = 'Aa'

function AccentField() {
  const t = useYourSiteTexts()
  const id = useId()
  const { value, change, ...marked } = useSiteField('maker.accent')
  return (
    <ControlGroup label={t.labels['maker.accent']} marked={marked}>
      <div className="grid grid-cols-2 gap-3">
        {accents.map((accent) => (
          <RadioCard
            key={accent}
            name={id}
            label={t.accents[accent]}
            checked={value === accent}
            onChange={() => change(accent)}
          >
            <span
              data-accent={accent}
              aria-hidden="true"
              className="col-span-full grid grid-cols-2 font-display text-2xl leading-none"
            >
              <span className="grid gap-2 bg-ink px-3 py-4 text-brass-light">
                <span>{sample}</span>
                <span className="h-1.5 bg-brass" />
              </span>
              <span className="grid gap-2 bg-bone px-3 py-4 text-brass-deep">
                <span>{sample}</span>
                <span className="h-1.5 bg-brass" />
              </span>
            </span>
          </RadioCard>
        ))}
      </div>
    </ControlGroup>
  )
}

type HiddenPart = Category | 'newsletter'

/** Hides the newsletter, or a category from the filter, which is possible while it has no models. */
function HiddenField({ part }: { part: HiddenPart }) {
  const t = useYourSiteTexts()
  const { value, change, ...marked } = useSiteField(`maker.hidden.${part}`)
  const { data: counts } = useQuery(countsQuery)
  const count = part === 'newsletter' ? 0 : counts?.[part]
  const isHidden = value === 'yes'
  return (
    <div>
      {part === categories[0] && <p className="mb-3 text-sm text-(--quiet)">{t.hiddenText}</p>}
      <Checkbox
        label={<Marked {...marked}>{t.labels[`maker.hidden.${part}`]}</Marked>}
        hint={count ? t.hiddenHas(count) : undefined}
        checked={isHidden}
        // A hidden category that has models since can be shown again.
        disabled={count === undefined || (count > 0 && !isHidden)}
        onChange={() => change(isHidden ? '' : 'yes')}
      />
    </div>
  )
}
