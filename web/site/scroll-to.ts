import { layOutAll } from '../fresh-visit.ts'

export const sectionIds = ['home', 'gallery', 'about', 'contact'] as const
export type SectionId = (typeof sectionIds)[number]

/** Moves the page to a section, gently unless the visitor prefers no motion, and the keyboard's place with it. */
export function scrollToSection(id: SectionId) {
  layOutAll()
  const section = document.getElementById(id)
  if (!section) return
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  section.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' })
  section.focus({ preventScroll: true })
}

export const toForm = () => scrollToSection('contact')
