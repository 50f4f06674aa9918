import type { ComponentProps } from 'react'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { instead } from './instead.ts'
import { type SectionId, scrollToSection } from './scroll-to.ts'

/** A button that leads to a section: it scrolls with the script, and submits its form without it. */
export function SectionButton({ to, ...button }: Omit<ComponentProps<typeof Button>, 'onClick'> & { to: SectionId }) {
  return (
    <form action={`/#${to}`} className="contents">
      <LanguageField />
      <Button type="submit" onClick={instead(() => scrollToSection(to))} {...button} />
    </form>
  )
}

/** A form drops the query of its address: the language goes along as a field. */
export function LanguageField() {
  const { addressLanguage } = useLanguage()
  return addressLanguage && <input type="hidden" name="lang" value={addressLanguage} />
}
