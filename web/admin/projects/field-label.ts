import { defaultLanguage, languageName } from '#contract/languages.ts'
import { useLanguage } from '../../language/language.tsx'
import { useAdminTexts } from '../texts.ts'
import { type FieldName, partsOf } from './form-fields.ts'

/** The label of a field where its language is not told otherwise. Not beside the form: the list needs no more of it. */
export function useFieldLabel() {
  const { projectForm: f } = useAdminTexts()
  const shown = useLanguage()
  return (name: FieldName) => {
    const { field, language } = partsOf(name)
    if (!language || language === defaultLanguage) return f.labels[field]
    return f.translated(f.labels[field], languageName(language, shown.language))
  }
}
