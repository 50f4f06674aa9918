import { defaultLanguage, languages, languageTitle } from '#contract/languages.ts'
import { fieldsOf, type RuleName, ruleOfField } from '#contract/site-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { useYourSiteTexts } from '../texts.ts'
import { TextField } from './text-field.tsx'

/** The same words in each language: side by side where there is room. */
export function WordsField({ name }: { name: RuleName }) {
  const t = useYourSiteTexts()
  const shown = useLanguage()
  const fields = fieldsOf(name)
  const lines = fields[0] && ruleOfField(fields[0]).lines
  const hint = [t.hints[name], lines && t.lines(lines)].filter(Boolean).join(' ')
  return (
    <fieldset className="min-w-0">
      <legend className="text-[0.9375rem] font-medium">{t.labels[name]}</legend>
      {hint && <p className="text-sm text-(--quiet)">{hint}</p>}
      <div className="mt-2 grid grid-cols-1 gap-x-6 gap-y-3 md:grid-cols-2">
        {fields.map((field, index) => {
          const value = languages[index] ?? defaultLanguage
          const label = languageTitle(value, shown.language)
          return <TextField key={field} field={field} name={name} language={{ value, label }} />
        })}
      </div>
    </fieldset>
  )
}
