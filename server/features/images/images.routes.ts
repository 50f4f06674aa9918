import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { showAside } from '#contract/aside.ts'
import { readImage } from '#contract/images.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { Storage } from '#server/storage/storage.ts'
import { describeAside } from './aside.ts'
import { createHotFiles, type StoredContent } from './hot-files.ts'
import { imageName, standIns, type Variant, variantName } from './image.rules.ts'
import { findImage } from './images.queries.ts'
import type { Variants } from './variants.ts'

type Parts = { db: Db; storage: Storage; variants: Variants }

export function imageRoutes(app: FastifyInstance, { db, storage, variants }: Parts) {
  const hotFiles = createHotFiles(storage)
  // Names only. Stored files are removed only when no project has shown them for a month.
  const publicUrl = storage.direct?.publicUrl
  const storedNames = publicUrl ? new LRUCache<string, true>({ max: 50_000 }) : undefined

  serve(app, readImage, async ({ params: { hash }, query: { w, f }, request, reply }) => {
    if (w || f) {
      const wanted: Variant = { width: Number(w ?? 1600), format: f ?? 'jpeg' }
      const name = variantName(hash, wanted)
      if (publicUrl && (await isStored(name))) return redirectTo(reply, `${publicUrl}/${name}`)
      const ready = await hotFiles.get(name)
      if (ready) return sendImmutable(request, reply, ready, { name, contentType: `image/${wanted.format}` })
      return sendStandIn(reply, hash, wanted)
    }
    const image = await findImage(db, hash)
    const name = imageName(hash)
    if (image && publicUrl && (await isStored(name))) return redirectTo(reply, `${publicUrl}/${name}`)
    const original = image && (await storage.stream(name))
    if (!original) throw new Problem('not_found')
    return sendImmutable(request, reply, original, { name, contentType: image.contentType })
  })

  serve(app, showAside, () => describeAside(storage))

  async function isStored(name: string) {
    if (storedNames?.has(name)) return true
    const found = await storage.has(name)
    if (found) storedNames?.set(name, true)
    return found
  }

  /** A visitor never waits for the encoder: another variant is sent, uncached, while this one is made. */
  async function sendStandIn(reply: FastifyReply, hash: string, wanted: Variant) {
    const image = await findImage(db, hash)
    if (!image) throw new Problem('not_found')
    variants.prioritize(hash, wanted)
    reply.header('cache-control', 'no-store')
    for (const variant of standIns(wanted)) {
      const ready = await hotFiles.get(variantName(hash, variant))
      if (ready) return send(reply, ready, `image/${variant.format}`)
    }
    const original = await storage.stream(imageName(hash))
    if (!original) throw new Problem('not_found')
    return send(reply, original, image.contentType)
  }
}

/** For a day only: the owner may move the images elsewhere. */
function redirectTo(reply: FastifyReply, address: string) {
  return reply.header('cache-control', 'public, max-age=86400').redirect(address, 302)
}

type Named = { name: string; contentType: string }

/** Addresses name their content, so what they answer never changes. */
function sendImmutable(request: FastifyRequest, reply: FastifyReply, stored: StoredContent, { name, contentType }: Named) {
  const etag = `"${name.slice(name.indexOf('/') + 1)}"`
  reply.header('cache-control', 'public, max-age=31536000, immutable').header('etag', etag)
  if (!request.headers['if-none-match']?.split(/,\s*/).includes(etag)) return send(reply, stored, contentType)
  if (!Buffer.isBuffer(stored.content)) stored.content.destroy()
  return reply.code(304).send()
}

function send(reply: FastifyReply, { content, bytes }: StoredContent, contentType: string) {
  return reply
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('content-length', bytes)
    .type(contentType)
    .send(content)
}
