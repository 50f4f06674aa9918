import path from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { readAsset } from '#contract/pages.ts'

/** The build makes no folders, and no names but these. */
const assetName = /^[\w-][\w.-]{0,200}$/

/** What the build made: named by content, so it may be kept for ever; compressed once, by the build. */
export function builtAssets(clientFolder: string) {
  return async (app: FastifyInstance) => {
    await app.register(async (scope) => {
      // Other names get the usual 404 page; the file server would answer some of them with a bare 400 or 403.
      scope.addHook('onRequest', async ({ params }, reply) => {
        if (!assetName.test((params as { '*': string })['*'])) {
          reply.callNotFound()
          return reply
        }
      })
      await scope.register(staticFiles, {
        root: path.join(clientFolder, 'assets'),
        prefix: readAsset.path.replace('*', ''),
        preCompressed: true,
        index: false,
        decorateReply: false,
        immutable: true,
        maxAge: '365d',
      })
    })
  }
}
