import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { PageInput, RenderedPage } from '#web/page.ts'

/** Turns what a page is about into its HTML. */
export type Renderer = {
  render(input: PageInput): Promise<RenderedPage>
  /** The document around it, with places for its parts. */
  template(): Promise<string>
}

/** The built site: rendered by the code that was built with it. */
export async function builtRenderer(clientFolder: string): Promise<Renderer> {
  const { renderPage } = await import('#web/entry.server.tsx')
  const template = await readFile(path.join(clientFolder, 'index.html'), 'utf8')
  return { render: renderPage, template: async () => template }
}
