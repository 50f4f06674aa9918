import type { Language } from '#contract/languages.ts'

/** For a visitor whose page is not kept, while the database is away or after too many pages were rendered for one address. */
export const unavailable: Record<Language, { title: string; sentence: string; again: string }> = {
  en: {
    title: 'Back in a moment',
    sentence: 'The site cannot answer right now. Please try again in a moment.',
    again: 'Try again',
  },
  es: {
    title: 'Volvemos en un momento',
    sentence: 'El sitio no puede responder ahora. Inténtelo de nuevo en un momento.',
    again: 'Intentar de nuevo',
  },
}
