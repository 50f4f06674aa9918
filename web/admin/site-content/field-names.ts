import { isLanguage } from '#contract/languages.ts'
import { type RuleName, ruleOfField, type SiteField } from '#contract/site-fields.ts'
import { useAdminTexts } from '../texts.ts'
import { useYourSiteTexts } from './site-content-texts.ts'
import { sectionOf } from './site-draft.rules.ts'

/** The name of a field with its section: "Opening: Large title (English)". */
export function useFieldName() {
  const t = useYourSiteTexts()
  const { names } = useAdminTexts().projectForm.languages
  return (field: SiteField) => {
    const language = field.slice(0, 2)
    const isWords = isLanguage(language) && field[2] === '.'
    const rule = (isWords ? field.slice(3) : field) as RuleName
    const name = `${t.sections[sectionOf(field)].name}: ${t.labels[rule]}`
    return isWords ? `${name} (${names[language]})` : name
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
