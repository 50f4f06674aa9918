/** On a page in another language, for someone whose browser prefers this one. */
export const offer = {
  text: 'This page is also in English.',
  action: 'Read it in English',
  decline: 'No, thank you',
}

export type OfferTexts = typeof offer
