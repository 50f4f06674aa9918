import { defaultLanguage, type Language } from '#contract/languages.ts'
import {
  type PhotoInput,
  type TranslatedPhotoField,
  type Translations,
  translatedPhotoFields,
  wholeTranslations,
} from '#contract/project-fields.ts'

/** A photo in a form: texts are empty instead of null. */
export type Photo = {
  imageUrl: string
  caption: string
  translations: { [L in Language]?: Record<TranslatedPhotoField, string> }
}

export function photoOf({ imageUrl, caption = null, translations = {} }: Partial<PhotoInput> & { imageUrl: string }): Photo {
  const whole = wholeTranslations(translatedPhotoFields, translations)
  return { imageUrl, caption: caption ?? '', translations: withoutNull(whole) }
}

export function withoutNull<Name extends string>(translations: Translations<Name>) {
  return JSON.parse(JSON.stringify(translations, (_, value: unknown) => value ?? '')) as {
    [L in Language]?: Record<Name, string>
  }
}

export function captionIn({ caption, translations }: Photo, language: Language) {
  return language === defaultLanguage ? caption : (translations[language]?.caption ?? '')
}

export function withCaption(photo: Photo, language: Language, caption: string): Photo {
  if (language === defaultLanguage) return { ...photo, caption }
  return { ...photo, translations: { ...photo.translations, [language]: { caption } } }
}

/** A key for each photo, stable when it moves; the same photo may be listed twice. */
export function keysOf(photos: readonly Photo[]) {
  return photos.map(({ imageUrl }, index) => {
    const before = photos.slice(0, index).filter((each) => each.imageUrl === imageUrl).length
    return before ? `${imageUrl} ${before}` : imageUrl
  })
}

/** The index of a finished upload, in the order the files were chosen. */
export function placeOfArrival(photos: readonly Photo[], numbers: ReadonlyMap<string, number>, number: number) {
  const place = photos.findIndex(({ imageUrl }) => (numbers.get(imageUrl) ?? 0) > number)
  return place < 0 ? photos.length : place
}
