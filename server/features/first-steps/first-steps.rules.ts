import { backupType } from '#contract/backups.ts'
import { type FirstStep, firstSteps } from '#contract/overview.ts'
import { fieldsOf, type OwnFields, type RuleName, type SiteField } from '#contract/site-fields.ts'

type SiteState = {
  /** As published. */
  fields: OwnFields
  /** Whether the hero photo is stored: an import may bring its name without the file. */
  hasHeroPhoto: boolean
  /** Whether visitors see the page. */
  opened: boolean
  /** Not counting the trash. */
  projects: number
  demoProjects: number
  /** Whether a test mail went out. */
  hasMail: boolean
  /** By their names. */
  backups: readonly string[]
  backupTakenAt: string | null
}

/** Other phones follow the first one. */
const contactData: SiteField[] = ['maker.brand', 'maker.email', 'maker.phones.0']
/** In every language: a visitor must not read an invented life in any of them. */
const story = (
  [
    'about.paragraphs.0',
    'about.paragraphs.1',
    'maker.figures.years',
    'maker.figures.models',
    'maker.figures.awards',
    'maker.figures.articles',
  ] as const satisfies RuleName[]
).flatMap(fieldsOf)

const isDone: Record<FirstStep, (state: SiteState) => boolean> = {
  contact: ({ fields }) => isAllOwn(fields, contactData),
  hero: ({ hasHeroPhoto }) => hasHeroPhoto,
  story: ({ fields }) => isAllOwn(fields, story),
  model: ({ projects, demoProjects }) => projects > demoProjects,
  demo: ({ demoProjects }) => demoProjects === 0,
  open: ({ opened }) => opened,
  mail: ({ hasMail }) => hasMail,
  // Every import makes an export, which has no photos: it does not count.
  backup: ({ backups }) => backups.some((filename) => backupType(filename) !== 'export'),
  copy: ({ backupTakenAt }) => backupTakenAt !== null,
}

function isAllOwn(fields: OwnFields, names: readonly SiteField[]) {
  return names.every((field) => fields[field] !== undefined)
}

export function stepsDone(state: SiteState): FirstStep[] {
  return firstSteps.filter((step) => isDone[step](state))
}
