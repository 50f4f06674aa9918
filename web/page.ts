import type { Language } from '#contract/languages.ts'
import type { Project } from '#contract/projects.ts'

/** Stands for every address that leads nowhere: there are endless ones. */
export const unknownPath = '/404'

/** What the server knows of a page when it renders it, and the browser when it takes over. */
export type PageState = {
  path: string
  language: Language
  projects?: Project[] | undefined
  /** The id of the project that is open from the start. */
  openProject?: string | undefined
  /** Whether the sign-in page tells the demo account's credentials. */
  demoHint?: boolean | undefined
}

export type PageInput = PageState & {
  /** The address of the site, such as https://example.com. */
  base: string
}

export type RenderedPage = { language: Language; head: string; body: string; state: PageState }
