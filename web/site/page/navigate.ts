import type { MouseEvent } from 'react'
import { layOutAll } from '../../fresh-visit.ts'

const listeners = new Set<() => void>()

/** Calls the listener whenever the address has changed, by `navigate` or by going back and forward. */
export function onNavigation(listener: () => void) {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

export const queryNow = () => new URLSearchParams(location.search)

/** Changes values in the query of the page's address. */
export function navigate(changes: Record<string, string | undefined>, { replace }: { replace: boolean }) {
  const query = queryNow()
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  history[replace ? 'replaceState' : 'pushState'](null, '', query.size > 0 ? `/?${query}` : '/')
  for (const listener of listeners) listener()
}

/** What a link or a submit button does with the script. With a key held down it does its own, in another tab or window. */
export function instead(act: (event: MouseEvent<HTMLElement>) => void) {
  return (event: MouseEvent<HTMLElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    act(event)
  }
}

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
