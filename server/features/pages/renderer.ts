import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Language } from '#contract/languages.ts'
import type { PageInput, RenderedPage } from '#web/page.ts'

/** Turns what a page is about into its HTML. */
export type Renderer = {
  render(input: PageInput): Promise<RenderedPage>
  /** The document around it, with places for its parts. */
  template(language: Language): Promise<string>
}

/** The built site: rendered by the code that was built with it. */
export async function builtRenderer(clientFolder: string): Promise<Renderer> {
  const { renderPage } = await import('#web/entry.server.tsx')
  const template = await readFile(path.join(clientFolder, 'index.html'), 'utf8')
  const built = JSON.parse(await readFile(path.join(clientFolder, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    { file: string }
  >
  // The words are a file of their own for each language; the script that needs them should not have to discover that.
  const words = (language: Language) =>
    `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${built[`content/${language}.ts`]?.file}">`
  return { render: renderPage, template: async (language) => template.replace('</head>', `  ${words(language)}\n  </head>`) }
}
