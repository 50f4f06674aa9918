import type { Language } from '#contract/languages.ts'

/** In the place of the admin area, where no script runs. */
export const needsScript: Record<Language, string> = {
  en: 'The admin area needs JavaScript. Please switch it on in your browser and load this page again.',
  es: 'El panel de administración necesita JavaScript. Actívelo en su navegador y vuelva a cargar esta página.',
}
