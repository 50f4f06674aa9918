import type { IncomingContact, IncomingProject } from '#contract/backups.ts'
import { isLanguage, type Language } from '#contract/languages.ts'
import type { FileFault, ProblemCode, ProblemDetails, ProblemReply, ValueFault } from '#contract/problems.ts'
import type { MailChange, OffsiteChange } from '#contract/settings.ts'

/** Of the settings in the panel. */
type SettingField = KeysOf<MailChange> | KeysOf<OffsiteChange> | 'url' | 'timeZone' | 'passphrase'
type KeysOf<T> = T extends unknown ? keyof T : never

/** The sentences of one language for everything that can fail. */
export type ProblemTexts = {
  plain: Record<ProblemCode, string>
  /** With the details; of several fields, the first of `fields`. */
  detailed: {
    [Code in Exclude<keyof ProblemDetails, FileFault>]: (
      details: ProblemDetails[Code],
      fields?: ProblemReply['fields'],
    ) => string
  }
}

/** What a person is told; undefined when the code is not known, as that of a newer release. */
export function problemSentence({ plain, detailed }: ProblemTexts, { code, details, fields }: Omit<ProblemReply, 'message'>) {
  if (!Object.hasOwn(plain, code)) return undefined
  const say = detailed[code as keyof typeof detailed] as Say<typeof details> | undefined
  return details && say ? say(details, fields) : plain[code as ProblemCode]
}

type Say<Details> = (details: Details, fields?: ProblemReply['fields']) => string

/** By the first part of a path: `counts.projects` is about `counts`. A translation is named with its language. */
export function labelOf(labels: FieldLabels, path: string) {
  const [field = '', language, text = ''] = path.split('.')
  const names: Readonly<Record<string, string>> = labels.fields
  const isTranslation = field === 'translations' && isLanguage(language) && text in names
  return isTranslation ? labels.translated(names[text] ?? '', language) : (names[field] ?? field)
}

export type FieldLabels = {
  fields: Record<
    | keyof IncomingProject
    | keyof IncomingContact
    | ('username' | 'password' | 'currentPassword' | 'newPassword')
    | SettingField,
    string
  >
  /** A field in another language than the site's own. */
  translated(label: string, language: Language): string
}

/** The fault of the first of these fields, else the first there is. */
export function faultAmong(faults: readonly ValueFault[], fields: ProblemReply['fields'] = {}) {
  const [first] = Object.keys(fields)
  return faults.find(({ field }) => field === first) ?? faults[0] ?? { field: '', fault: 'wrong' }
}
