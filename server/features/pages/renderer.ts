import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { PageInput, RenderedPage } from '#web/page.ts'

/** Turns what a page is about into its HTML. */
export type Renderer = {
  render(input: PageInput): Promise<RenderedPage>
  /** The document around it, with places for its parts. */
  template(): Promise<string>
  /** Loads what rendering needs, so that the first visitor does not wait for it. */
  warmUp(): Promise<unknown>
}

/** The built site: rendered by the code that was built with it, which is loaded when the site already answers. */
export async function builtRenderer(clientFolder: string): Promise<Renderer> {
  const template = await readFile(path.join(clientFolder, 'index.html'), 'utf8')
  const load = () => import('#web/entry.server.tsx')
  return { render: async (input) => (await load()).renderPage(input), template: async () => template, warmUp: load }
}
