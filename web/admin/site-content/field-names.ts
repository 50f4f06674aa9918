import { languageTitle } from '#contract/languages.ts'
import { partsOfField, ruleOfField, type SiteField } from '#contract/site-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { useAdminTexts, useYourSiteTexts } from '../texts.ts'
import { sectionOf } from './site-draft.rules.ts'

/** The name of a field with its section: "Top of the page: Large title (English)". */
export function useFieldName() {
  const t = useYourSiteTexts()
  const shown = useLanguage()
  return (field: SiteField) => {
    const { language, rule } = partsOfField(field)
    const name = `${t.sections[sectionOf(field)].name}: ${t.labels[rule]}`
    return language ? `${name} (${languageTitle(language, shown.language)})` : name
  }
}

/** A value as text: a choice by its label, a date written out. */
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
