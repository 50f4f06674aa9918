import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { serverTexts } from '#content/server-texts.ts'
import type { Language } from '#contract/languages.ts'
import { accents } from '#contract/site-fields.ts'
import { earlyScript } from '#web/early-script.ts'
import type { PageInput, RenderedPage } from '#web/page.ts'

/** Renders pages to HTML. */
export type Renderer = {
  render(input: PageInput): Promise<RenderedPage>
  /** The HTML document with placeholders for head, body and state. */
  template(): Promise<string>
  /** Loads the code that renders, so that the first visitor does not wait for it. */
  warmUp(): Promise<unknown>
}

/** Renders with the built code, which is loaded after the start. */
export async function builtRenderer(clientFolder: string): Promise<Renderer> {
  const template = await readFile(path.join(clientFolder, 'index.html'), 'utf8')
  const load = () => import('#web/entry.server.tsx')
  return { render: async (input) => (await load()).renderPage(input), template: async () => template, warmUp: load }
}

/** Renders and serves assets from the sources by Vite, with hot reload. */
export async function openDevelopment(root: string) {
  const { createServer } = await import('vite')
  const vite = await createServer({ root, appType: 'custom', server: { middlewareMode: true } })
  const renderer: Renderer = {
    async render(input: PageInput): Promise<RenderedPage> {
      const { renderPage } = await vite.ssrLoadModule('/web/entry.server.tsx')
      return renderPage(input)
    },
    async template() {
      return vite.transformIndexHtml('/', await readFile(path.join(root, 'index.html'), 'utf8'))
    },
    warmUp: () => vite.ssrLoadModule('/web/entry.server.tsx'),
  }
  return {
    renderer,
    async assets(app: FastifyInstance) {
      app.addHook('onRequest', (request, reply, next) => {
        vite.middlewares(request.raw, reply.raw, (error: unknown) => next(error instanceof Error ? error : undefined))
      })
      app.addHook('onClose', () => vite.close())
    },
  }
}

/** Fills the built document with a rendered page. */
export function documentOf(template: string, { language, head, body, state }: RenderedPage) {
  return template
    .replace(/<html lang="\w+">/, `<html lang="${language}"${accentOf(state)}>`)
    .replace('<!--head-->', () => head)
    .replace('<!--body-->', () => body)
    .replace('<!--state-->', () => `<script type="application/json" id="state">${inScript(state)}</script>`)
}

/** Marks a preview outside the panel as one. Outside the root element, which the page's script renders. */
export function withPreviewMark(document: string, language: Language) {
  return document.replace('</body>', () => `<p style="${markStyle}">${serverTexts[language].previewMark}</p></body>`)
}

const markStyle = [
  'position:fixed;z-index:60;left:1rem;bottom:1rem;margin:0;padding:.375rem .75rem;pointer-events:none',
  'background:var(--color-ink);color:var(--color-bone);border:1px solid var(--color-ink-line);font:.8125rem var(--font-text)',
].join(';')

/** The default accent needs no attribute. */
function accentOf({ own }: RenderedPage['state']) {
  const accent = accents.find((each) => each === own?.facts.accent)
  return accent && accent !== 'brass' ? ` data-accent="${accent}"` : ''
}

/** JSON without `<`, which could end the script element. */
function inScript(value: unknown) {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** The hash of the only script inside a page, as the content policy names it. */
export const inPageScript = `'sha256-${createHash('sha256').update(earlyScript).digest('base64')}'`
