import { backupType } from '#contract/backups.ts'
import { type FirstStep, firstSteps } from '#contract/overview.ts'
import type { OwnFields, SiteField } from '#contract/site-fields.ts'

type SiteState = {
  /** As published. */
  fields: OwnFields
  /** Whether the hero photo is stored: an import may bring its name without the file. */
  hasHeroPhoto: boolean
  /** Not counting the trash. */
  projects: number
  demoProjects: number
  hasMail: boolean
  /** By their names. */
  backups: readonly string[]
  backupTakenAt: string | null
}

const contactData = ['maker.brand', 'maker.email', 'maker.phones.0'] as const satisfies SiteField[]

const isDone: Record<FirstStep, (state: SiteState) => boolean> = {
  contact: ({ fields }) => contactData.every((field) => fields[field] !== undefined),
  hero: ({ hasHeroPhoto }) => hasHeroPhoto,
  model: ({ projects, demoProjects }) => projects > demoProjects,
  demo: ({ demoProjects }) => demoProjects === 0,
  mail: ({ hasMail }) => hasMail,
  // Every import makes an export, which has no photos: it does not count.
  backup: ({ backups }) => backups.some((filename) => backupType(filename) !== 'export'),
  copy: ({ backupTakenAt }) => backupTakenAt !== null,
}

export function stepsDone(state: SiteState): FirstStep[] {
  return firstSteps.filter((step) => isDone[step](state))
}
