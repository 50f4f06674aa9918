import type { ServerTexts } from './en/server.ts'
import type { Maker } from './maker.ts'

type Options = { commissions: Maker['commissions']; sentence: string; texts: ServerTexts['commissions']; today: string }

/**
 * What the page says about commissions: nothing while they are simply taken, which they are again from the named day on.
 * `today` is that of the maker, as 2027-03-01.
 */
export function commissionsLine({ commissions: { state, from }, sentence, texts, today }: Options) {
  const isLater = state === 'from' && from > today
  if (state === 'closed') return [texts.closed, sentence].filter(Boolean).join(' ')
  if (isLater) return [texts.from(from), sentence].filter(Boolean).join(' ')
  return sentence && state === 'open' ? `${texts.open} ${sentence}` : ''
}
