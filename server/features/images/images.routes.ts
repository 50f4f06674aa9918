import type { FastifyInstance, FastifyReply } from 'fastify'
import { readImage } from '#contract/images.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { Storage } from '#server/storage/storage.ts'
import { objectName, standIns, type Variant, variantName } from './image.rules.ts'
import { findImage } from './images.queries.ts'
import type { Variants } from './variants.ts'

type Parts = { db: Db; storage: Storage; variants: Variants }

export function imageRoutes(app: FastifyInstance, { db, storage, variants }: Parts) {
  serve(app, readImage, async ({ params: { hash }, query: { w, f }, reply }) => {
    if (w || f) {
      const wanted: Variant = { width: Number(w ?? 1600), format: f ?? 'jpeg' }
      const ready = await storage.stream(variantName(hash, wanted))
      if (ready) return send(reply, ready, { contentType: `image/${wanted.format}`, forGood: true })
      return sendStandIn(reply, hash, wanted)
    }
    const original = await storage.stream(objectName(hash))
    const image = original && (await findImage(db, hash))
    if (!original || !image) throw new Problem('not_found')
    return send(reply, original, { contentType: image.contentType, forGood: true })
  })

  /** A visitor never waits for an encoder: what is there is sent, and not kept, while the copy is made. */
  async function sendStandIn(reply: FastifyReply, hash: string, wanted: Variant) {
    const image = await findImage(db, hash)
    if (!image) throw new Problem('not_found')
    variants.hurry(hash, wanted)
    for (const variant of standIns(wanted)) {
      const ready = await storage.stream(variantName(hash, variant))
      if (ready) return send(reply, ready, { contentType: `image/${variant.format}`, forGood: false })
    }
    const original = await storage.stream(objectName(hash))
    if (!original) throw new Problem('not_found')
    return send(reply, original, { contentType: image.contentType, forGood: false })
  }
}

type Stored = NonNullable<Awaited<ReturnType<Storage['stream']>>>

/** Addresses name their content, so what they answer never changes. */
function send(
  reply: FastifyReply,
  { content, bytes }: Stored,
  { contentType, forGood }: { contentType: string; forGood: boolean },
) {
  return reply
    .header('cache-control', forGood ? 'public, max-age=31536000, immutable' : 'no-store')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('content-length', bytes)
    .type(contentType)
    .send(content)
}
