import { CircleAlert, type LucideIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { type Language, languages, languageTitle } from '#contract/languages.ts'
import { keptInTab } from '../kept.ts'
import { useLanguage } from '../language/language.tsx'
import { cn } from '../ui/cn.ts'
import { useMedia } from '../ui/use-media.ts'
import { useAdminTexts } from './texts.ts'

/** One language, or all of them side by side. */
export type ShownLanguage = Language | 'all'

const sideBySide = keptInTab<true>('side-by-side')

/** The language of the texts in a form: at first the panel's, or all of them if that was chosen in this tab. */
export function useShownLanguage(room = '(width >= 64rem)') {
  const { language } = useLanguage()
  const hasRoom = useMedia(room)
  const [chosen, setChosen] = useState<ShownLanguage>(() => (sideBySide.read() ? 'all' : language))
  const show = (next: ShownLanguage) => {
    if (next === 'all') sideBySide.keep(true)
    else sideBySide.drop()
    setChosen(next)
  }
  return { shown: chosen === 'all' && !hasRoom ? language : chosen, show, hasRoom }
}

type Props = ReturnType<typeof useShownLanguage> & {
  /** What is said of a language that needs attention. */
  marks?: Partial<Record<Language, string | undefined>>
  className?: string
}

export function LanguageSwitch({ shown, show, hasRoom, marks = {}, className }: Props) {
  const { languageSwitch: t } = useAdminTexts()
  const { language } = useLanguage()
  const single = languages.map((value) => ({ value, label: languageTitle(value, language), mark: marks[value] }))
  const choices: Choice<ShownLanguage>[] = hasRoom ? [...single, { value: 'all', label: t.all }] : single
  return <Segments label={t.label} chosen={shown} onChoose={show} choices={choices} className={className} />
}

type Choice<T> = { value: T; label: string; icon?: LucideIcon; mark?: string | undefined }

type SegmentsProps<T> = {
  label: string
  chosen: T
  onChoose(value: T): void
  choices: readonly Choice<T>[]
  className?: string | undefined
}

export function Segments<T extends string>({ label, chosen, onChoose, choices, className }: SegmentsProps<T>) {
  const name = useId()
  return (
    <fieldset className={cn('flex w-fit max-w-full border border-(--line)', className)}>
      <legend className="sr-only">{label}</legend>
      {choices.map(({ value, label: text, icon: Icon, mark }) => (
        <label
          key={value}
          className="relative inline-flex min-h-11 min-w-11 grow cursor-pointer items-center justify-center gap-2 px-3 text-sm text-(--quiet) transition-colors hover:bg-current/8 has-checked:bg-ink has-checked:text-bone has-focus-visible:z-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)"
        >
          <input
            type="radio"
            name={name}
            checked={chosen === value}
            onChange={() => onChoose(value)}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          {Icon && <Icon className="size-4" />}
          <span className={Icon && 'max-sm:sr-only'}>{text}</span>
          {mark && <CircleAlert role="img" aria-label={mark} className="size-4 shrink-0" />}
        </label>
      ))}
    </fieldset>
  )
}
