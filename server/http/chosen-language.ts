import type { FastifyRequest } from 'fastify'
import { defaultLanguage, isLanguage, type Language, languageKey } from '#contract/languages.ts'

/** What the address asks for, else what the visitor chose before; never what the browser guesses. */
export function chosenLanguage({ query, cookies }: FastifyRequest): { language: Language; languageAsked: boolean } {
  const { lang } = (query ?? {}) as { lang?: unknown }
  if (isLanguage(lang)) return { language: lang, languageAsked: true }
  const chosen = cookies[languageKey]
  return { language: isLanguage(chosen) ? chosen : defaultLanguage, languageAsked: false }
}
