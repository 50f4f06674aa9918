import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { serverTexts } from '#content/server-texts.ts'
import { adminPath } from '#contract/first-visit.ts'
import { defaultLanguage, type Language, languages, otherLanguages } from '#contract/languages.ts'
import { accents } from '#contract/site-fields.ts'
import { earlyScript } from '#web/early-script.ts'
import type { OpeningInput, PageInput, RenderedPage } from '#web/page.ts'

/** Renders pages to HTML. */
export type Renderer = {
  render(input: PageInput): Promise<RenderedPage>
  /** The whole document of a site that is not open yet. */
  opening(input: OpeningInput): Promise<string>
  /** The HTML document with placeholders for head, body and state. */
  template(): Promise<string>
  /** Loads the code that renders, so that the first visitor does not wait for it. */
  warmUp(): Promise<unknown>
}

/** Renders with the built code, which is loaded after the start. */
export async function builtRenderer(clientFolder: string): Promise<Renderer> {
  const template = await readFile(path.join(clientFolder, 'index.html'), 'utf8')
  const load = () => import('#web/entry.server.tsx')
  return {
    render: async (input) => (await load()).renderPage(input),
    opening: async (input) => (await load()).openingPage(input),
    template: async () => template,
    warmUp: load,
  }
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
    async opening(input: OpeningInput): Promise<string> {
      const { openingPage } = await vite.ssrLoadModule('/web/entry.server.tsx')
      return openingPage(input)
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

/**
 * Tells the signed-in maker that visitors do not see the page yet; in every language, because the page changes its language
 * without being loaded again.
 */
export function withOpeningBar(document: string) {
  const bars = languages.map((language) => {
    const { bar, toPanel } = serverTexts[language].opening
    return `<aside class="not-open" lang="${language}" aria-label="${toPanel}"><p>${bar}</p><a href="${adminPath}">${toPanel}</a></aside>`
  })
  return document.replace('</body>', () => `<style>${barStyle}</style>${bars.join('')}</body>`)
}

const barStyle = [
  'body{padding-bottom:4.5rem}.not-open{display:none;position:fixed;z-index:40;inset:auto 0 0;gap:.25rem 1.5rem;align-items:center;',
  'justify-content:center;padding:.5rem 1.25rem calc(.5rem + env(safe-area-inset-bottom));',
  'background:var(--color-bone);color:var(--color-ink);border-top:3px solid var(--color-brass);font:clamp(.8125rem,.7rem + .5vw,.9375rem)/1.35 var(--font-text)}',
  '.not-open a{display:inline-flex;min-height:2.75rem;align-items:center;padding:0 1rem;white-space:nowrap;background:var(--color-ink);color:var(--color-bone)}',
  '.not-open a:focus-visible{outline:2px solid var(--color-brass-deep);outline-offset:2px}@media print{.not-open{display:none!important}}',
  ...otherLanguages.map((language) => `[lang="${language}"]>body>.not-open[lang="${language}"]{display:flex}`),
  `html${otherLanguages.map((language) => `:not([lang="${language}"])`).join('')} .not-open[lang="${defaultLanguage}"]{display:flex}`,
].join('')

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
