import { RotateCcw } from 'lucide-react'
import { createContext, type ReactNode, useContext, useState } from 'react'
import type { Language } from '#contract/languages.ts'
import { type FieldRule, type RuleName, ruleOfField, type SiteField, tidied } from '#contract/site-fields.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import type { ShownLanguage } from '../language-switch.tsx'
import { useYourSiteTexts } from '../texts.ts'
import type { ReadDraft } from './site-calls.ts'
import { charactersLeft, fieldNow, isIdentity } from './site-draft.rules.ts'

/** The draft, and the languages its texts are shown in. */
type Edited = ReadDraft & { shown: ShownLanguage }

export const SiteContext = createContext<Edited | undefined>(undefined)

export function useSite() {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite must be used within the editor')
  return site
}

/** A field's value, fault and setter; null restores the default. */
export function useSiteField(field: SiteField) {
  const t = useYourSiteTexts()
  const { content, typed, draft } = useSite()
  const now = fieldNow(content, typed, field)
  const rule = ruleOfField(field)
  const over = now.value.length - rule.most
  return {
    ...now,
    rule,
    error: now.fault && t.faults[now.fault]({ over, most: rule.most }),
    change: (value: string | null) => draft.type(field, value === null ? null : tidied(value)),
  }
}

const inputs: Partial<Record<FieldRule['kind'], { type: string; inputMode?: 'email' | 'tel' | 'url' }>> = {
  email: { type: 'email', inputMode: 'email' },
  phone: { type: 'tel', inputMode: 'tel' },
  link: { type: 'url', inputMode: 'url' },
  date: { type: 'date' },
}

type Props = {
  field: SiteField
  name: RuleName
  /** Alone, its field has the name of the text; beside others that of its language. */
  language?: { value: Language; label: string; isAlone: boolean }
  mark?: ReactNode
}

export function TextField({ field, name, language, mark }: Props) {
  const t = useYourSiteTexts()
  const { value, preset, isOwn, isOpen, error, rule, change } = useSiteField(field)
  const label = t.labels[name]
  const isBeside = language?.isAlone === false
  const fullName = language ? `${label}: ${language.label}` : label
  const { text, type, settle } = useRaw(value, change)
  const left = charactersLeft(value, rule.most)
  const isJudgedByLength = rule.kind === 'line' || rule.kind === 'text'
  const said = [
    t.hints[name],
    rule.lines && t.lines(rule.lines),
    !error && isJudgedByLength && left !== undefined && t.left(left),
    // Nothing that came with the site describes a photo of the maker's.
    isJudgedByLength && !rule.optional && value === '' && !error && t.photo.describe,
  ].filter(Boolean)
  const shared = {
    name: field,
    value: text,
    lang: language?.value,
    spellCheck: isJudgedByLength,
    autoComplete: 'off',
    className: cn(isOpen && 'shadow-[inset_3px_0_0_var(--color-brass)]'),
    onChange: (event: { currentTarget: { value: string } }) => type(event.currentTarget.value),
    onBlur: settle,
  }
  return (
    <div className="min-w-0">
      <Field
        label={
          <Marked isOpen={isOpen} isOwn={isOwn} mark={mark}>
            {isBeside ? language.label : label}
          </Marked>
        }
        error={error}
        hint={said.length > 0 && <span aria-live="polite">{said.join(' ')}</span>}
        {...(isBeside && { className: '[&>label]:mb-1.5 [&>label]:text-sm [&>label]:font-normal [&>label]:text-(--quiet)' })}
      >
        {(slot) =>
          rule.kind === 'text' ? (
            <Textarea
              {...slot}
              {...shared}
              aria-label={fullName}
              className={cn(shared.className, 'min-h-20! [field-sizing:content]')}
            />
          ) : (
            <Input {...slot} {...shared} {...inputs[rule.kind]} aria-label={fullName} />
          )
        }
      </Field>
      {isOwn && !isIdentity(name, rule) && (
        <p className="mt-1 flex items-start gap-x-2 text-sm text-(--quiet)">
          <span className="mr-auto line-clamp-2 min-w-0 pt-2.5 leading-snug wrap-anywhere">
            {preset ? t.default(preset) : t.defaultEmpty}
          </span>
          <Button
            icon={RotateCcw}
            tone="quiet"
            className="-mr-3 shrink-0 px-3"
            aria-label={`${t.backToDefault}: ${fullName}`}
            onClick={() => change(null)}
          >
            {t.backToDefault}
          </Button>
        </p>
      )}
    </div>
  )
}

/** Keeps blanks at the ends while typing, which the stored value does not have. */
function useRaw(value: string, change: (value: string) => void) {
  const [raw, setRaw] = useState(value)
  return {
    text: tidied(raw) === value ? raw : value,
    type(next: string) {
      // Texts of the page have no line breaks.
      const line = next.replaceAll(/\s*\n\s*/g, ' ')
      setRaw(line)
      change(line)
    },
    settle: () => setRaw(value),
  }
}

type Marks = { isOpen?: boolean; isOwn?: boolean; mark?: ReactNode }

export function Marked({ isOpen, isOwn, mark, children }: Marks & { children: ReactNode }) {
  const t = useYourSiteTexts()
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
      <span className="min-w-0 wrap-anywhere">{children}</span>
      {(isOpen || isOwn || mark) && (
        <span className="-my-0.5 flex flex-wrap gap-1.5 font-normal">
          {mark}
          {(isOpen || isOwn) && <Badge tone={isOpen ? 'accent' : 'plain'}>{isOpen ? t.mark.open : t.mark.own}</Badge>}
        </span>
      )}
    </span>
  )
}

/** Several controls for one field, under its label. */
export function ControlGroup({ label, marked, children }: { label: string; marked: Marks; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 w-full text-[0.9375rem] font-medium">
        <Marked {...marked}>{label}</Marked>
      </legend>
      {children}
    </fieldset>
  )
}
