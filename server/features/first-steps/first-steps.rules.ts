import { backupType } from '#contract/backups.ts'
import { type FirstStep, firstSteps } from '#contract/overview.ts'
import type { OwnFields, SiteField } from '#contract/site-fields.ts'

type Facts = {
  /** What the maker has published. */
  fields: OwnFields
  /** Whether the photo on top of the page is stored here: a file may bring its name alone. */
  hasHeroPhoto: boolean
  /** Without those in the trash. */
  projects: number
  demoProjects: number
  hasMail: boolean
  /** By their names. */
  backups: readonly string[]
  backupTakenAt: string | null
}

const contactData = ['maker.brand', 'maker.email', 'maker.phones.0'] as const satisfies SiteField[]

const isDone: Record<FirstStep, (facts: Facts) => boolean> = {
  contact: ({ fields }) => contactData.every((field) => fields[field] !== undefined),
  hero: ({ hasHeroPhoto }) => hasHeroPhoto,
  model: ({ projects, demoProjects }) => projects > demoProjects,
  demo: ({ demoProjects }) => demoProjects === 0,
  mail: ({ hasMail }) => hasMail,
  // An export is made by every import, and has no photos.
  backup: ({ backups }) => backups.some((filename) => backupType(filename) !== 'export'),
  copy: ({ backupTakenAt }) => backupTakenAt !== null,
}

export function stepsDone(facts: Facts): FirstStep[] {
  return firstSteps.filter((step) => isDone[step](facts))
}
