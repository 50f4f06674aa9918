import { createContext, useContext } from 'react'
import { ruleOfField, type SiteField, tidied } from '#contract/site-fields.ts'
import type { ShownLanguage } from '../language-switch.tsx'
import { useYourSiteTexts } from '../texts.ts'
import type { ReadDraft } from './site-calls.ts'
import { fieldNow } from './site-draft.rules.ts'

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
