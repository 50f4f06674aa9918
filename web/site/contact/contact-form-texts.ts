import type { ContactFormTexts } from '#content/en/contact-form.ts'
import { byLanguage } from '../../language/by-language.ts'
import { useLanguage } from '../../language/language.tsx'

const texts = byLanguage(
  import.meta.glob<ContactFormTexts>('../../../content/*/contact-form.ts', { eager: true, import: 'contactForm' }),
)

export const useContactFormTexts = () => texts[useLanguage().language]
