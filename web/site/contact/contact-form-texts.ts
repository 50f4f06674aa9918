import type { ContactFormTexts } from '#content/en/contact-form.ts'
import { useTexts } from '../../language/language.tsx'
import { screenTexts } from '../../language/site-texts.ts'

export const contactFormTexts = screenTexts<ContactFormTexts>(
  async (language) => (await import(`../../../content/${language}/contact-form.ts`)).contactForm,
)

export const useContactFormTexts = () => useTexts(contactFormTexts)
