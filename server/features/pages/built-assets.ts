import { readdir, readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { readAsset } from '#contract/pages.ts'
import { bestEncoding, immutableAnswer, immutableHeads, sendAnswer } from '#server/http/answers.ts'
import type { ReadyAnswers } from '#server/http/published.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
}

/** As scripts/compress-assets.ts names them. */
const endings = { br: '.br', gzip: '.gz' }

/** Fits all files that current browsers load. */
const maxBytes = 4 * 1024 * 1024

type Asset = { heads: ReturnType<typeof immutableHeads>; body: Buffer }

/** Serves the built files: their names contain a hash, so they are cached for ever; the build has compressed them. */
export function builtAssets(clientFolder: string) {
  const folder = path.join(clientFolder, 'assets')

  return async (app: FastifyInstance, ready: ReadyAnswers) => {
    const files = await readdir(folder, { withFileTypes: true })
    const names = new Set(files.filter((file) => file.isFile()).map(({ name }) => name))
    const kept = new LRUCache<string, Asset>({ maxSize: maxBytes, sizeCalculation: ({ body }) => body.length + 1 })

    /** The file in the best encoding that the browser accepts. */
    function choose(name: string, { 'accept-encoding': accepted }: IncomingHttpHeaders) {
      const encoding = bestEncoding(accepted)
      const isCompressed = encoding !== 'identity' && names.has(name + endings[encoding])
      return isCompressed ? { file: name + endings[encoding], encoding } : { file: name, encoding: undefined }
    }

    async function load(file: string, contentType: string, encoding: string | undefined): Promise<Asset | undefined> {
      const body = await readFile(path.join(folder, file)).catch((error: NodeJS.ErrnoException) => {
        // A newer build has removed it.
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (!body) return undefined
      const others = { vary: 'Accept-Encoding' }
      const content = { etag: `"${file}"`, bytes: body.length, contentType, ...(encoding && { encoding }), others }
      const asset = { heads: immutableHeads(content), body }
      kept.set(file, asset)
      return asset
    }

    app.get(readAsset.path, async (request, reply) => {
      const name = (request.params as { '*': string })['*']
      const contentType = contentTypes[path.extname(name)]
      if (!names.has(name) || !contentType) return reply.callNotFound()
      const { file, encoding } = choose(name, request.headers)
      const loaded = kept.get(file) ?? (await load(file, contentType, encoding))
      if (!loaded) return reply.callNotFound()
      ready.remember(request, (headers) => {
        const asset = kept.get(choose(name, headers).file)
        return asset && immutableAnswer(headers, asset.heads, asset.body)
      })
      return sendAnswer(reply, immutableAnswer(request.headers, loaded.heads, loaded.body))
    })
  }
}
