import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { PageInput, RenderedPage } from '#web/page.ts'
import type { Renderer } from './renderer.ts'

/** The site from its sources, with hot reload: Vite answers for the assets and renders the pages. */
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
