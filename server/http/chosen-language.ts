import type { FastifyRequest } from 'fastify'
import { defaultLanguage, isLanguage, type Language, languageKey } from '#contract/languages.ts'

/** What the visitor chose before; never what the browser guesses. */
export function chosenLanguage({ cookies }: FastifyRequest): Language {
  const chosen = cookies[languageKey]
  return isLanguage(chosen) ? chosen : defaultLanguage
}
