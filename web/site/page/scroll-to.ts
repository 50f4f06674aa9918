import { layOutAll } from '../../fresh-visit.ts'

export const sectionIds = ['home', 'gallery', 'about', 'contact'] as const
export type SectionId = (typeof sectionIds)[number]

/** Moves the page to a section, gently unless the visitor prefers no motion, and the keyboard's place with it. */
export function scrollToSection(id: SectionId) {
  layOutAll()
  const section = document.getElementById(id)
  if (!section) return
  const field = id === 'contact' && firstField()
  // On a screen with little height the head of the section would fill it.
  const isFar = field && field.getBoundingClientRect().bottom - section.getBoundingClientRect().top > innerHeight * 0.9
  scrollTo(isFar ? field.form : section)
  section.focus({ preventScroll: true })
}

/** Moves the page to the form, and the cursor into its first field. */
export function toForm() {
  layOutAll()
  const field = firstField()
  scrollTo(field?.form)
  field?.focus({ preventScroll: true })
}

const firstField = () => document.querySelector<HTMLInputElement>('#contact [name="name"]')

function scrollTo(place: Element | null | undefined) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  place?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' })
}
