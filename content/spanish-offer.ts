/** On the English page, for someone whose browser speaks Spanish. */
export const spanishOffer = {
  text: 'Esta página también está en español.',
  action: 'Ver en español',
  decline: 'No, gracias',
} as const
