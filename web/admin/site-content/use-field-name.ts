import { isLanguage } from '#contract/languages.ts'
import type { RuleName, SiteField } from '#contract/site-fields.ts'
import { useAdminTexts } from '../texts.ts'
import { useYourSiteTexts } from './site-content-texts.ts'
import { sectionOf } from './site-draft.rules.ts'

/** What a field is called where its section is not in view: "Opening: Large title (English)". */
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
