import { z } from 'zod/mini'
import { categories } from './first-visit.ts'
import { isImageAddress } from './images.ts'
import { isLanguage, type Language, otherLanguages } from './languages.ts'
import { filledText, nullableText, optionalText, requiredText } from './text.ts'

/** Empty in a draft; `missing` is said when a project without it is to be published. */
const required = (missing: string, most: number) => ({ most, missing, input: filledText(missing, most), stored: z.string() })
const optional = (most: number) => ({ most, input: optionalText(most), stored: z.nullable(z.string()) })
/** Written in every language: the field itself is in the site's own, `translations` has the others. */
const translated = <Field>(field: Field) => ({ ...field, translated: true }) as Field & { translated: true }

const notAPhoto = {
  error: 'Use a photo uploaded here or an https:// address.',
  params: { fault: 'not_a_photo' },
}
const isPhoto = z.refine<string | null>((text) => !text || isImageAddress(text), notAPhoto)
const cover = required('Image is required', 2_000)
const link = optional(2_000)
const optionalPhoto = { ...link, input: link.input.check(isPhoto) }

/** Beside the cover. */
export const mostPhotos = 24

/** In the other languages; null where a text is not translated. */
export type Translations<Name extends string> = { [L in Language]?: Record<Name, string | null> }
/** As it is sent: what is left out stays as it is, and is null in what is new. */
export type TranslationInput<Name extends string> = {
  [L in Language]?: { [N in Name]?: string | null | undefined } | undefined
}
type TranslatedIn<Some> = { [Name in keyof Some]: Some[Name] extends { translated: true } ? Name : never }[keyof Some] & string

const photoFields = {
  imageUrl: { ...cover, input: requiredText(cover.missing, cover.most).check(isPhoto) },
  caption: translated(optional(300)),
}
export type TranslatedPhotoField = TranslatedIn<typeof photoFields>
export const translatedPhotoFields = namesOfTranslated(photoFields)
const photoTranslations = translationsOf(photoFields)

/** A photo beside the cover. */
export const storedPhoto = z.strictObject({ ...each(photoFields, 'stored'), translations: photoTranslations.stored })
export type StoredPhoto = z.infer<typeof storedPhoto>

const photoInput = z.strictObject(
  { ...each(photoFields, 'input'), translations: z._default(photoTranslations.input, {}) },
  'A photo must be an object with its address.',
)
export type PhotoInput = z.output<typeof photoInput>

const photoInputs = z
  .array(photoInput, 'Photos must be a list.')
  .check(z.maxLength(mostPhotos, `A project has at most ${mostPhotos} photos beside its cover.`))

/**
 * Every field the maker fills in, once: the most characters of a text, how it is checked on its way in (`input`) and what it
 * is on its way out (`stored`). Requests, replies, backups and the type of the table are made of it; whatever else needs a
 * line for each field does not compile without it. docs/decisions.md has the list.
 */
const fields = {
  title: translated(required('Title is required', 200)),
  description: translated(required('Description is required', 10_000)),
  category: {
    missing: 'Category is required',
    input: z.enum(['', ...categories], 'Category is required'),
    stored: z.enum(['', ...categories]),
  },
  imageUrl: { ...cover, input: cover.input.check(isPhoto) },
  scale: optional(100),
  materials: translated(optional(2_000)),
  techniques: translated(optional(2_000)),
  timeSpent: optional(100),
  beforeImageUrl: optionalPhoto,
  afterImageUrl: optionalPhoto,
}
type Fields = typeof fields

export type TranslatedField = TranslatedIn<Fields>
export const translatedFields = namesOfTranslated(fields)
const projectTranslations = translationsOf(fields)

/** What is not said when a project is made, and stays as it is when one is changed. */
const whenNotSaid = {
  translations: projectTranslations.input,
  featured: z.boolean('Featured must be yes or no.'),
  draft: z.boolean('Draft must be yes or no.'),
  /** In their order. */
  photos: photoInputs,
}

type RequiredField = { [Name in keyof Fields]: Fields[Name] extends { missing: string } ? Name : never }[keyof Fields]
const requiredFields = ['title', 'description', 'category', 'imageUrl'] as const satisfies readonly RequiredField[]

type Texts = { [Name in keyof Fields]?: string | null | undefined }
type Translated = { translations: { [L in Language]?: Texts | undefined } }
type Judged = Texts & Translated & { photos: readonly unknown[]; draft: boolean }

const isWritten = (text: unknown) => typeof text === 'string' && text.trim() !== ''

/** In the site's own language, or in the first one that has it. */
export function textOf(project: Texts & Translated, name: TranslatedField): string | null {
  const all = [project, ...otherLanguages.map((language) => project.translations?.[language])]
  return all.map((texts) => texts?.[name]).find(isWritten) ?? null
}

/** What of these a project lacks, in every language. A draft needs a title or a photo. */
export function missingFrom<Name extends keyof Fields>(project: Judged, needed: readonly Name[]): (Name | 'title')[] {
  const isMissing = (name: keyof Fields) => !(isTranslated(name) ? textOf(project, name) : isWritten(project[name]))
  if (!project.draft) return needed.filter(isMissing)
  return isMissing('title') && isMissing('imageUrl') && !project.photos?.length ? ['title'] : []
}

/** The same as issues of zod. */
export function issuesOf(project: Judged) {
  return missingFrom(project, requiredFields).map((field) => ({
    code: 'custom' as const,
    path: [field],
    message: project.draft ? 'A draft needs a title or a photo.' : fields[field].missing,
    params: { fault: 'missing' as const },
    input: project,
  }))
}

/** What a project needs as a whole. Also where a value of it is wrong, so that all faults are named at once. */
export const complete = z.check<Judged>(({ value, issues }) => void issues.push(...issuesOf(value)), {
  when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
})

const inputs = z.strictObject(each(fields, 'input'))

/** Everything of a project but its id and its date. */
export const projectInput = z
  .strictObject({
    ...inputs.shape,
    title: z._default(inputs.shape.title, ''),
    description: z._default(inputs.shape.description, ''),
    category: z._default(inputs.shape.category, ''),
    imageUrl: z._default(inputs.shape.imageUrl, ''),
    translations: z._default(whenNotSaid.translations, {}),
    featured: z._default(whenNotSaid.featured, false),
    photos: z._default(whenNotSaid.photos, []),
    draft: z._default(whenNotSaid.draft, false),
  })
  .check(complete)
export type ProjectInput = z.output<typeof projectInput>

/** The same with every field optional: what is not sent stays as it is. */
export const changedFields = { ...z.partial(inputs).shape, ...z.partial(z.strictObject(whenNotSaid)).shape }

/** The same fields as they are answered and exported. */
export const storedFields = {
  ...each(fields, 'stored'),
  translations: projectTranslations.stored,
  featured: z.boolean(),
  photos: z.array(storedPhoto),
  /** Seen by administrators only. */
  draft: z.boolean(),
}

export type TextField = { [Name in keyof Fields]: Fields[Name] extends { most: number } ? Name : never }[keyof Fields]

/** The most characters each text may have, in every language. */
export const projectLimits = limitsOf(fields) as Record<TextField, number>
export const photoLimits = limitsOf(photoFields) as Record<keyof typeof photoFields, number>

/** What is sent of the translations, with null for the rest: as they are answered and exported. */
export function wholeTranslations<Name extends string>(
  names: readonly Name[],
  sent: TranslationInput<Name>,
  before?: TranslationInput<Name>,
): Translations<Name> {
  const inEach = otherLanguages.map((language) => {
    const textOf = (name: Name) => {
      const text = sent[language]?.[name]
      return (text === undefined ? before?.[language]?.[name] : text) ?? null
    }
    return [language, Object.fromEntries(names.map((name) => [name, textOf(name)]))]
  })
  return Object.fromEntries(inEach) as Translations<Name>
}

type FieldParts = Record<string, { input: z.core.$ZodType; stored: z.core.$ZodType; most?: number; translated?: boolean }>

function each<Some extends FieldParts, Part extends 'input' | 'stored'>(some: Some, part: Part) {
  const parts = Object.entries(some).map(([name, field]) => [name, field[part]])
  return Object.fromEntries(parts) as { [Name in keyof Some]: Some[Name][Part] }
}

export function isTranslated(name: string): name is TranslatedField {
  return translatedFields.some((each) => each === name)
}

function namesOfTranslated<Some extends FieldParts>(some: Some) {
  return Object.keys(some).filter((name) => some[name]?.translated) as TranslatedIn<Some>[]
}

function translationsOf<Some extends FieldParts>(some: Some) {
  const shape = (text: (most: number) => z.core.$ZodType) =>
    z.strictObject(Object.fromEntries(namesOfTranslated(some).map((name) => [name, text(some[name]?.most ?? 0)])))
  const inEach = (translation: z.core.$ZodType) =>
    z.strictObject(Object.fromEntries(otherLanguages.map((language) => [language, translation])))
  return {
    input: inEach(z.optional(shape((most) => z.optional(nullableText(most))))),
    stored: inEach(shape(() => z.nullable(z.string()))),
  } as unknown as {
    input: z.ZodMiniType<TranslationInput<TranslatedIn<Some>>, TranslationInput<TranslatedIn<Some>>>
    stored: z.ZodMiniType<Translations<TranslatedIn<Some>>, Translations<TranslatedIn<Some>>>
  }
}

function limitsOf(some: FieldParts) {
  return Object.fromEntries(Object.entries(some).flatMap(([name, { most }]) => (most ? [[name, most]] : [])))
}

/** Until version 5 of the export translations were fields with the language at the end of their names: `titleEs`. */
const olderTranslation = /^(\w+)([A-Z][a-z])$/

/** A project of an export, or an unsaved form, as releases before `translations` wrote it. */
export function ofPresentVersion(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record
  const { photos } = record as { photos?: unknown }
  return {
    ...(withTranslations(record, translatedFields) as object),
    ...(Array.isArray(photos) && { photos: photos.map((photo: unknown) => withTranslations(photo, translatedPhotoFields)) }),
  }
}

function withTranslations(record: unknown, names: readonly string[]): unknown {
  if (typeof record !== 'object' || record === null || 'translations' in record) return record
  const present: [string, unknown][] = []
  const translations: Record<string, Record<string, unknown>> = {}
  for (const [key, value] of Object.entries(record)) {
    const [, name = '', ending = ''] = olderTranslation.exec(key) ?? []
    const language = ending.toLowerCase()
    if (names.includes(name) && isLanguage(language)) translations[language] = { ...translations[language], [name]: value }
    else present.push([key, value])
  }
  return Object.keys(translations).length > 0 ? { translations, ...Object.fromEntries(present) } : record
}
