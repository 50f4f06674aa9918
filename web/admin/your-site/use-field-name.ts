import { languageTitle } from '#contract/languages.ts'
import { partsOfField, type SiteField } from '#contract/site-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { useYourSiteTexts } from '../texts.ts'
import { sectionOf } from './draft.rules.ts'

/** What a field is called where its section is not in view: "Opening: Large title (English)". */
export function useFieldName() {
  const t = useYourSiteTexts()
  const shown = useLanguage()
  return (field: SiteField) => {
    const { language, rule } = partsOfField(field)
    const name = `${t.sections[sectionOf(field)].name}: ${t.labels[rule]}`
    return language ? `${name} (${languageTitle(language, shown.language)})` : name
  }
}
