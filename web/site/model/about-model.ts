import { useSyncExternalStore } from 'react'
import type { ProjectType } from '#contract/contact-fields.ts'
import type { Category } from '#contract/first-visit.ts'
import type { AboutProject } from '../../page.ts'
import { toForm } from '../page/navigate.ts'

/** The form has no figures: they are built to order. */
export const typeOfCategory: Record<Category, ProjectType> = {
  locomotive: 'locomotive',
  aircraft: 'aircraft',
  ships: 'ship',
  automotive: 'automotive',
  military: 'militaryVehicles',
  figures: 'custom',
}

/** Undefined until it is chosen here: then it is what the page arrived with. */
let chosen: AboutProject | null | undefined
const listeners = new Set<() => void>()

export function chooseAbout(project: AboutProject | null) {
  chosen = project
  for (const listener of listeners) listener()
}

/** Since the page was opened. */
export const isAboutChosen = () => chosen !== undefined

/** The model the form is about. */
export function useAbout(arrived: AboutProject | undefined) {
  const onServer = () => arrived
  return useSyncExternalStore(subscribe, () => (chosen === undefined ? arrived : (chosen ?? undefined)), onServer)
}

/** Leads to the form, with the model and its type chosen. The fields are there before the script of the form is. */
export function askAbout({ id, slug, title, translations, category }: AboutProject) {
  const type = document.querySelector<HTMLSelectElement>('#contact [name="projectType"]')
  if (type && category) type.value = typeOfCategory[category]
  chooseAbout({ id, slug, title, translations, category })
  toForm()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
