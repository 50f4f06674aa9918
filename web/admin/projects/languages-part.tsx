import { CircleAlert } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { type ReactNode, useId } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { isLanguage, type Language, languages } from '#contract/languages.ts'
import type { ProjectInput } from '#contract/project-fields.ts'
import { useMedia } from '../../ui/use-media.ts'
import { useAdminTexts } from '../texts.ts'
import { type ProjectValues, translated, untranslatedIn } from './project-form.rules.ts'

/** The fields of a language. */
export const fieldsIn = (language: Language) => translated.map(([en, es]) => (language === 'en' ? en : es))

type Props = { shown: Language; onShow(next: Language): void; fields: Record<Language, ReactNode> }

/** The texts in both languages: side by side where there is room, else one of the two at a time. */
export function LanguagesPart({ shown, onShow, fields }: Props) {
  const t = useAdminTexts().projectForm.languages
  const narrow = useMedia('(width < 48rem)')
  const { formState } = useFormContext<ProjectValues, unknown, ProjectInput>()
  const id = useId()
  const isFaulty = (language: Language) => fieldsIn(language).some((name) => formState.errors[name])
  return (
    <Tabs.Root value={shown} onValueChange={(next) => isLanguage(next) && onShow(next)}>
      {narrow && (
        <Tabs.List aria-label={t.both} className="mb-5 grid grid-cols-2 border-b border-(--line)">
          {languages.map((language) => (
            <Tabs.Trigger
              key={language}
              value={language}
              className="flex min-h-12 items-center justify-center gap-2 border-b-3 border-transparent font-medium text-(--quiet) data-[state=active]:border-brass data-[state=active]:text-ink"
            >
              {t.names[language]}
              {isFaulty(language) && <CircleAlert role="img" aria-label={t.faulty} className="size-4 text-(--danger)" />}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
      )}
      <div className="md:grid md:grid-cols-2 md:grid-rows-[repeat(5,auto)] md:gap-x-8 md:gap-y-5">
        {languages.map((language) => (
          <Tabs.Content
            key={language}
            value={language}
            forceMount
            tabIndex={undefined}
            hidden={narrow && shown !== language}
            {...(!narrow && { role: 'group', 'aria-labelledby': `${id}-${language}` })}
            className="not-[[hidden]]:grid gap-5 md:row-span-5 md:grid-rows-subgrid md:not-first:border-l md:not-first:border-(--line) md:not-first:-ml-4 md:not-first:pl-4"
          >
            <div>
              <h3 id={`${id}-${language}`} className="font-display text-xl max-md:hidden">
                {t.names[language]}
              </h3>
              <Readers language={language} alone={narrow} />
            </div>
            {fields[language]}
          </Tabs.Content>
        ))}
      </div>
    </Tabs.Root>
  )
}

/** Who reads these texts, and what they see where nothing is written: of the other language too where that is out of view. */
function Readers({ language, alone }: { language: Language; alone: boolean }) {
  const { projectForm } = useAdminTexts()
  const t = projectForm.languages
  const values = useWatch<ProjectValues>() as ProjectValues
  const gapsIn = (each: Language) => {
    const missing = untranslatedIn(each, values)
    if (missing.length === 0) return undefined
    const nothing = fieldsIn(each).every((name) => values[name].trim() === '')
    return nothing ? t.nothing[each] : t.missing[each](missing.map((name) => projectForm[name]).join(', '))
  }
  const sentences = [gapsIn(language) ?? t.readers[language], alone && gapsIn(language === 'en' ? 'es' : 'en')]
  return (
    <p className="mt-0.5 text-sm text-(--quiet)" role="status">
      {sentences.filter(Boolean).join(' ')}
    </p>
  )
}
