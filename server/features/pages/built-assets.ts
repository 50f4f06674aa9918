import path from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { readAsset } from '#contract/pages.ts'

/** What the build made: named by content, so it may be kept for ever; compressed once, by the build. */
export function builtAssets(clientFolder: string) {
  return async (app: FastifyInstance) => {
    await app.register(staticFiles, {
      root: path.join(clientFolder, 'assets'),
      prefix: readAsset.path.replace('*', ''),
      // The build makes no folders here. Other names are answered like any address that leads nowhere.
      allowedPath: (pathname) => /^\/[\w-][\w.-]*$/.test(pathname),
      preCompressed: true,
      index: false,
      decorateReply: false,
      immutable: true,
      maxAge: '365d',
    })
  }
}
