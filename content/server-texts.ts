import type { MailTexts } from './en/mails.ts'
import type { ServerTexts } from './en/server.ts'
import { inEveryLanguage } from './every-language.ts'
import type { ProblemTexts } from './problem-sentence.ts'
import { defaultOf, differing, loadSiteDefaults } from './site-defaults.ts'

/** What the server writes by itself, in each language. */
export const [serverTexts, mailTexts, problemTexts] = await Promise.all([
  inEveryLanguage<ServerTexts>(async (language) => (await import(`./${language}/server.ts`)).server),
  inEveryLanguage<MailTexts>(async (language) => (await import(`./${language}/mails.ts`)).mails),
  inEveryLanguage<ProblemTexts>(async (language) => (await import(`./${language}/problems.ts`)).problemTexts),
  loadSiteDefaults(),
])

export { defaultOf, differing }
