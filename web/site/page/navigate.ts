import type { MouseEvent as ReactMouseEvent } from 'react'
import { layOutAll } from '../../fresh-visit.ts'

const listeners = new Set<() => void>()

/** Called when the address changes, by `navigate` or by Back and Forward. */
export function onNavigation(listener: () => void) {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

export const queryNow = () => new URLSearchParams(location.search)

export function navigate(changes: Record<string, string | undefined>, { replace }: { replace: boolean }) {
  const query = queryNow()
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  history[replace ? 'replaceState' : 'pushState'](null, '', query.size > 0 ? `/?${query}` : '/')
  for (const listener of listeners) listener()
}

/** Replaces the default action of a link or submit button, except with a modifier key, which opens a new tab or window. */
export function instead(act: (event: ReactMouseEvent<HTMLElement>) => void) {
  return (event: ReactMouseEvent<HTMLElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    act(event)
  }
}

export const sectionIds = ['home', 'gallery', 'about', 'contact'] as const
export type SectionId = (typeof sectionIds)[number]

/** Follows what leads to a section (`data-to`), wherever it is: static parts of the page have no handlers of their own. */
export function followLeads() {
  const follow = (event: MouseEvent) => {
    const { metaKey, ctrlKey, shiftKey, altKey, target } = event
    const lead = target instanceof Element && target.closest<HTMLElement>('[data-to]')
    if (!lead || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    scrollToSection(lead.dataset.to as SectionId)
  }
  // Capturing: React stops clicks in parts that are not hydrated.
  addEventListener('click', follow, true)
}

/** Scrolls to a section and moves the focus there. */
export function scrollToSection(id: SectionId) {
  layOutAll()
  const section = document.getElementById(id)
  if (!section) return
  const field = id === 'contact' && firstField()
  // On a low screen the section's head would fill it.
  const isFar = field && field.getBoundingClientRect().bottom - section.getBoundingClientRect().top > innerHeight * 0.9
  scrollTo(isFar ? field.form : section)
  section.focus({ preventScroll: true })
}

/** Scrolls to the form and focuses its first field. */
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
