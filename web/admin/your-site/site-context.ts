import { createContext, useContext } from 'react'
import { ruleOfField, type SiteField, tidied } from '#contract/site-fields.ts'
import { useYourSiteTexts } from '../texts.ts'
import { fieldNow } from './draft.rules.ts'
import type { ReadDraft } from './site-calls.ts'

export const SiteContext = createContext<ReadDraft | undefined>(undefined)

export function useSite() {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite must be used within the editor')
  return site
}

/** A field as it is now, what is wrong with it, and how it is changed; null is for as it came. */
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
