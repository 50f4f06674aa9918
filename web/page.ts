import type { Role } from '#contract/accounts.ts'
import { adminPath, type Category } from '#contract/first-visit.ts'
import type { ImageFacts } from '#contract/images.ts'
import type { Language } from '#contract/languages.ts'
import type { ValueFault } from '#contract/problems.ts'
import type { Translations } from '#contract/project-fields.ts'
import type { ProjectInList } from '#contract/project-in-list.ts'
import type { Project, ProjectCounts, ProjectPhoto } from '#contract/projects.ts'
import type { Accent, PhotoName } from '#contract/site-fields.ts'

/** Stands for every unknown address, so that they share one rendered page. */
export const unknownPath = '/404'

export const isPanel = (path: string) => path.startsWith(adminPath)

/** A project in a list: of those that came with the page only the number of photos is known. */
export type ListedProject = Omit<Project, 'photos'> & { photos?: ProjectPhoto[]; photoCount?: number }

/** Such a one among the others. */
export type PlacedProject = Omit<ProjectInList, 'project'> & { project: ListedProject }

/** What the home page begins with. It does not grow with the number of projects. */
type Showcase = {
  /** The first page of the gallery. */
  projects: ListedProject[]
  featured: ListedProject[]
  counts: ProjectCounts
}

/** A contact form that was sent without a script, as the page brings it back. */
export type SentForm = {
  /** `photosLost` of those that came with it were not kept. */
  outcome: 'sent' | 'refused' | 'failed' | 'tooOften' | 'tooMany'
  photosLost: number
  /** What was typed; nothing once it is sent. */
  entries: Partial<Record<'name' | 'email' | 'projectType' | 'message', string>>
  /** What is wrong with it when it was refused. */
  faults: ValueFault[]
  sent?: SentMessage | undefined
}

/** What a visitor reads of a message that was sent. */
export type SentMessage = {
  name: string
  email: string
  message: string
  /** Not told by a process of an earlier release. */
  answerBy?: string | undefined
}

/** The project a message is about. */
export type AboutProject = Pick<Project, 'id' | 'slug' | 'title' | 'category'> & { translations: Translations<'title'> }

/** A photo the maker has chosen, or only the point of one that must stay visible, as `object-position` has it. */
export type OwnPhoto = { address?: string; facts?: ImageFacts; point?: string }

/** What the maker has made of the site: only what differs from what it came with. */
export type OwnSite = {
  /** In the language of the page, by their paths in content/en/site.ts. */
  words: Partial<Record<string, string>>
  /** By their paths in content/maker.ts. */
  facts: Partial<Record<string, string>>
  photos: Partial<Record<PhotoName, OwnPhoto>>
}

/** What the server knows of a page when it renders it, and the browser when it takes over. */
export type PageState = Partial<Showcase> & {
  path: string
  language: Language
  /** The address has `?lang=`, which the links of the page carry along. */
  languageAsked?: boolean
  /** The one the gallery is limited to. */
  category?: Category | undefined
  /** The project that is open from the start. */
  openProject?: ProjectInList | undefined
  /** The address names a project that is not there, or not any more. */
  isGone?: boolean
  /** The project the contact form is about from the start. */
  about?: AboutProject | undefined
  sentForm?: SentForm | undefined
  /** Left out while the site is as it came. */
  own?: OwnSite | undefined
  /** Which version of it is looked at before everybody sees it. */
  preview?: string | undefined
  /** Whether the sign-in page tells the demo account's credentials. */
  demoHint?: boolean | undefined
  /** Of the account that is signed in, so that a helper's panel does not flicker. */
  role?: Role | undefined
  /** Whether the sign-in page can have a link for a new password mailed. */
  mailsLinks?: boolean | undefined
}

export type PageInput = PageState & {
  /** The address of the site, such as https://example.com. */
  base: string
}

/** What the page of a site that is not open yet shows. */
export type OpeningInput = {
  /** The address of the site, such as https://example.com. */
  base: string
  language: Language
  brand: string
  /** Undefined where the maker has not given one. */
  email: string | undefined
  accent: Accent
}

export type RenderedPage = { language: Language; head: string; body: string; state: PageState }
