import { CircleAlert } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { get, useFormContext, useWatch } from 'react-hook-form'
import { defaultLanguage, isLanguage, type Language, languageName, languages, languageTitle } from '#contract/languages.ts'
import { type ProjectInput, translatedFields } from '#contract/project-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { useAdminTexts } from '../texts.ts'
import { textNames } from './form-fields.ts'
import { type ProjectValues, untranslatedIn, valueAt } from './project-form.rules.ts'

/** A heading above the texts. */
const rows = translatedFields.length + 1

type Props = { shown: Language; onShow(next: Language): void; textsIn(language: Language): ReactNode }

/** The texts in each language: side by side where there is room, else one language at a time. */
export function LanguagesPart({ shown, onShow, textsIn }: Props) {
  const t = useAdminTexts().projectForm.languages
  const { language: panelLanguage } = useLanguage()
  const narrow = useMedia('(width < 48rem)')
  const { formState } = useFormContext<ProjectValues, unknown, ProjectInput>()
  const id = useId()
  const isFaulty = (language: Language) => textNames(language).some((name) => get(formState.errors, name))
  return (
    <Tabs.Root value={shown} onValueChange={(next) => isLanguage(next) && onShow(next)}>
      {narrow && (
        <Tabs.List aria-label={t.both} className="mb-5 grid auto-cols-fr grid-flow-col border-b border-(--line)">
          {languages.map((language) => (
            <Tabs.Trigger
              key={language}
              value={language}
              className="flex min-h-12 items-center justify-center gap-2 border-b-3 border-transparent font-medium text-(--quiet) data-[state=active]:border-brass data-[state=active]:text-ink"
            >
              {languageTitle(language, panelLanguage)}
              {isFaulty(language) && <CircleAlert role="img" aria-label={t.faulty} className="size-4 text-(--danger)" />}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
      )}
      <div
        className="md:grid md:auto-cols-fr md:grid-flow-col md:gap-x-8 md:gap-y-5"
        style={{ gridTemplateRows: `repeat(${rows}, auto)` }}
      >
        {languages.map((language) => (
          <Tabs.Content
            key={language}
            value={language}
            forceMount
            tabIndex={undefined}
            hidden={narrow && shown !== language}
            {...(!narrow && { role: 'group', 'aria-labelledby': `${id}-${language}` })}
            style={narrow ? {} : { gridRow: `span ${rows}` }}
            className="not-[[hidden]]:grid gap-5 md:grid-rows-subgrid md:not-first:border-l md:not-first:border-(--line) md:not-first:-ml-4 md:not-first:pl-4"
          >
            <div>
              <h3 id={`${id}-${language}`} className="font-display text-xl max-md:hidden">
                {languageTitle(language, panelLanguage)}
              </h3>
              <Readers language={language} alone={narrow} />
            </div>
            {textsIn(language)}
          </Tabs.Content>
        ))}
      </div>
    </Tabs.Root>
  )
}

/** Who reads these texts, and the gaps; when `alone`, also the gaps of the hidden languages. */
function Readers({ language, alone }: { language: Language; alone: boolean }) {
  const { projectForm } = useAdminTexts()
  const { language: panelLanguage } = useLanguage()
  const t = projectForm.languages
  const values = useWatch<ProjectValues>() as ProjectValues
  const own = languageName(defaultLanguage, panelLanguage)
  const gapsIn = (each: Language) => {
    const missing = untranslatedIn(each, values)
    if (missing.length === 0) return undefined
    const called = languageName(each, panelLanguage)
    const names = missing.map((field) => projectForm.labels[field]).join(', ')
    const nothing = textNames(each).every((name) => String(valueAt(values, name)).trim() === '')
    if (each === defaultLanguage) return nothing ? t.nothingOwn(own) : t.missingOwn(own, names)
    return nothing ? t.nothing(called, own) : t.missing(called, own, names)
  }
  const others = alone ? languages.filter((each) => each !== language).map(gapsIn) : []
  const sentences = [gapsIn(language) ?? t.readers(languageName(language, panelLanguage)), ...others]
  return (
    <p className="mt-0.5 text-sm text-(--quiet)" role="status">
      {sentences.filter(Boolean).join(' ')}
    </p>
  )
}
