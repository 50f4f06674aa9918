import { ruleOfField, type SiteField } from '#contract/site-fields.ts'
import { useAdminTexts, useYourSiteTexts } from '../texts.ts'

/** A value as people see it: a choice is called what it is called where it is made, and a day is written out. */
export function useShownValue() {
  const { conflict: t, accents, commissions } = useYourSiteTexts()
  const { locale } = useAdminTexts()
  const choices: Partial<Record<string, string>> = { ...accents, ...commissions, yes: t.yes, '': t.no }
  return (field: SiteField, value: string) => {
    const { kind } = ruleOfField(field)
    if (kind === 'choice') return choices[value] ?? value
    if (kind === 'date' && value) return new Date(value).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
    if (kind === 'point') return value.replace(/\d+/g, '$& %')
    return value || t.empty
  }
}
