import { X } from 'lucide-react'
import { spanishOffer } from '#content/spanish-offer.ts'
import type { Language } from '#contract/languages.ts'
import { useLanguage } from './language.tsx'

/** One quiet line under the bar. Either answer is kept like a choice in the picker, and ends it. */
export function SpanishOffer({ onAnswer }: { onAnswer(): void }) {
  const { choose } = useLanguage()
  const answer = (language: Language) => {
    choose(language)
    onAnswer()
  }
  return (
    <div data-slot="offer" lang="es" className="on-ink border-t border-ink-line/60 text-sm">
      <p className="page-width flex items-center justify-end gap-x-4">
        <span className="text-(--quiet) max-sm:sr-only">{spanishOffer.text}</span>
        <button
          type="button"
          onClick={() => answer('es')}
          className="min-h-11 underline decoration-(--accent) underline-offset-4 max-sm:mr-auto"
        >
          {spanishOffer.action}
        </button>
        <button
          type="button"
          aria-label={spanishOffer.decline}
          onClick={() => answer('en')}
          className="-mr-3 grid size-11 shrink-0 place-items-center text-(--quiet) hover:text-bone"
        >
          <X className="size-4" aria-hidden />
        </button>
      </p>
    </div>
  )
}
