import { X } from 'lucide-react'
import type { OfferTexts } from '#content/en/offer.ts'
import type { Language } from '#contract/languages.ts'
import { byLanguage } from './by-language.ts'
import { useLanguage } from './language.tsx'

const offers = byLanguage(import.meta.glob<OfferTexts>('../../content/*/offer.ts', { eager: true, import: 'offer' }))

type Props = { offered: Language; onAnswer(): void }

/** Offers the browser's language. Either answer is stored as a choice. */
export function LanguageOffer({ offered, onAnswer }: Props) {
  const { language: shown, choose } = useLanguage()
  const texts = offers[offered]
  const answer = (language: Language) => {
    choose(language)
    onAnswer()
  }
  return (
    <div data-slot="offer" lang={offered} className="border-t border-(--line) text-sm">
      <p className="page-width flex items-center justify-end gap-x-4">
        <span className="text-(--quiet) max-sm:sr-only">{texts.text}</span>
        <button
          type="button"
          onClick={() => answer(offered)}
          className="min-h-11 underline decoration-(--accent) underline-offset-4 max-sm:mr-auto"
        >
          {texts.action}
        </button>
        <button
          type="button"
          aria-label={texts.decline}
          onClick={() => answer(shown)}
          className="-mr-3 grid size-11 shrink-0 place-items-center text-(--quiet) hover:text-inherit"
        >
          <X className="size-4" aria-hidden />
        </button>
      </p>
    </div>
  )
}
