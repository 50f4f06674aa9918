import { defaultLanguage, type Language, languageName, languages } from '#contract/languages.ts'
import { isTranslated, type ProjectInput, type TranslatedField } from '#contract/project-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { useAdminTexts } from '../texts.ts'

/** The cover is the first of the photos. */
export type OwnField = Exclude<keyof ProjectInput, 'translations' | 'imageUrl'>
/** A field of the form, by its path in the values. */
export type FieldName = OwnField | `translations.${Language}.${TranslatedField}`

export type Description = {
  control: 'line' | 'lines' | 'category' | 'photo' | 'photos' | 'box' | 'button'
  rows?: number
  /** In the monospace font. */
  code?: boolean
  /** The part of the form; translated fields are in `texts`. */
  part: 'photos' | 'texts' | 'facts' | 'comparison' | 'none'
}

/** How each field is entered. The form, its values, gaps and conflicts are derived from it. */
export const projectFields = {
  photos: { control: 'photos', part: 'photos' },
  title: { control: 'line', part: 'texts' },
  description: { control: 'lines', rows: 5, part: 'texts' },
  category: { control: 'category', part: 'facts' },
  scale: { control: 'line', code: true, part: 'facts' },
  materials: { control: 'lines', rows: 2, part: 'texts' },
  techniques: { control: 'lines', rows: 2, part: 'texts' },
  timeSpent: { control: 'line', code: true, part: 'facts' },
  featured: { control: 'box', part: 'facts' },
  beforeImageUrl: { control: 'photo', part: 'comparison' },
  afterImageUrl: { control: 'photo', part: 'comparison' },
  // Set by the button that saves.
  draft: { control: 'button', part: 'none' },
} as const satisfies Record<OwnField, Description> & Record<TranslatedField, { part: 'texts' }>

export const ownFields = Object.keys(projectFields) as OwnField[]
export const fieldsOfPart = (part: Description['part']) => ownFields.filter((name) => projectFields[name].part === part)

/** The path of a text in the values. */
export function textName(language: Language, field: TranslatedField): FieldName {
  return language === defaultLanguage ? field : `translations.${language}.${field}`
}

/** The texts of a language, in the order of the form. */
export function textNames(language: Language) {
  return ownFields.filter(isTranslated).map((field) => textName(language, field))
}

/** The field of a name, and its language if it is translated. */
export function partsOf(name: FieldName): { field: OwnField; language: Language | undefined } {
  const [first = '', language, field] = name.split('.')
  if (field) return { field: field as OwnField, language: language as Language }
  return { field: first as OwnField, language: isTranslated(first) ? defaultLanguage : undefined }
}

export const fieldNames = ownFields.flatMap((field): FieldName[] =>
  isTranslated(field) ? languages.map((language) => textName(language, field)) : [field],
)

/** The label of a field where its language is not told otherwise. */
export function useFieldLabel() {
  const { projectForm: f } = useAdminTexts()
  const shown = useLanguage()
  return (name: FieldName) => {
    const { field, language } = partsOf(name)
    if (!language || language === defaultLanguage) return f.labels[field]
    return f.translated(f.labels[field], languageName(language, shown.language))
  }
}
