import type { ComponentProps } from 'react'
import { useLanguage } from '../language/language.tsx'
import { Button } from '../ui/button.tsx'
import { type SectionId, scrollToSection } from './scroll-to.ts'

/** A button that leads to a section: gently with the script, as a form without it. */
export function Jump({ to, ...button }: Omit<ComponentProps<typeof Button>, 'onClick'> & { to: SectionId }) {
  return (
    <form action={`/#${to}`} className="contents">
      <AskedLanguage />
      <Button
        type="submit"
        onClick={(event) => {
          event.preventDefault()
          scrollToSection(to)
        }}
        {...button}
      />
    </form>
  )
}

/** A form drops the query of its address: the language goes along as a field. */
export function AskedLanguage() {
  const { asked } = useLanguage()
  return asked && <input type="hidden" name="lang" value={asked} />
}
