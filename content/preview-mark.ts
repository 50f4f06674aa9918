import type { Language } from '#contract/languages.ts'

/** On a page that shows what is not published. */
export const previewMark: Record<Language, string> = {
  en: 'Preview: only you can see this',
  es: 'Vista previa: solo usted la ve',
}
