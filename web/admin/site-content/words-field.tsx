import { languages } from '#contract/languages.ts'
import { type RuleName, ruleOfField, type SiteField } from '#contract/site-fields.ts'
import { useAdminTexts } from '../texts.ts'
import { useYourSiteTexts } from './site-content-texts.ts'
import { TextField } from './text-field.tsx'

/** The same words in both languages: side by side where there is room. */
export function WordsField({ name, fields }: { name: RuleName; fields: readonly [SiteField, SiteField] }) {
  const t = useYourSiteTexts()
  const { names } = useAdminTexts().projectForm.languages
  const { lines } = ruleOfField(fields[0])
  const hint = [t.hints[name], lines && t.lines(lines)].filter(Boolean).join(' ')
  return (
    <fieldset className="min-w-0">
      <legend className="text-[0.9375rem] font-medium">{t.labels[name]}</legend>
      {hint && <p className="text-sm text-(--quiet)">{hint}</p>}
      <div className="mt-2 grid grid-cols-1 gap-x-6 gap-y-3 md:grid-cols-2">
        {languages.map((language, index) => (
          <TextField
            key={language}
            field={fields[index] ?? fields[0]}
            name={name}
            language={{ value: language, label: names[language] }}
          />
        ))}
      </div>
    </fieldset>
  )
}
