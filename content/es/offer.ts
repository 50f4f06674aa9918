import type { OfferTexts } from '../en/offer.ts'

export const offer: OfferTexts = {
  text: 'Esta página también está en español.',
  action: 'Ver en español',
  decline: 'No, gracias',
}
