import type { Language } from '#contract/languages.ts'
import type { Maker } from './maker.ts'

const inWords: Record<Language, { open: string; from(date: Date): string; closed: string }> = {
  en: {
    open: 'Taking commissions now.',
    from: (date) => `Taking commissions from ${dayIn('en-US', date)}.`,
    closed: 'Not taking commissions at the moment.',
  },
  es: {
    open: 'Recibo encargos.',
    from: (date) => `Recibo encargos a partir del ${dayIn('es-MX', date)}.`,
    closed: 'Por ahora no recibo encargos.',
  },
}

const dayIn = (locale: string, date: Date) => date.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })

type Asked = { commissions: Maker['commissions']; sentence: string; language: Language; today: string }

/**
 * What the page says about commissions: nothing while they are simply taken. From the day on that was named, they are taken
 * again without anybody's doing; `today` is that of the maker, as 2027-03-01.
 */
export function commissionsLine({ commissions: { state, from }, sentence, language, today }: Asked) {
  const t = inWords[language]
  const isLater = state === 'from' && from > today
  if (state === 'closed') return [t.closed, sentence].filter(Boolean).join(' ')
  if (isLater) return [t.from(new Date(from)), sentence].filter(Boolean).join(' ')
  return sentence && state === 'open' ? `${t.open} ${sentence}` : ''
}
