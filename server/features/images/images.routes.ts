import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { readImage } from '#contract/images.ts'
import { showAside } from '#contract/quarantine.ts'
import { isSitePhoto } from '#server/features/images/site-photos.ts'
import { immutableAnswer, immutableHeads, sendAnswer } from '#server/http/answers.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import { describeAside } from './aside.ts'
import { createHotFiles, type StoredContent } from './hot-files.ts'
import { imageName, isCommon, standIns, type Variant, variantAsked, variantName } from './image.rules.ts'
import { findImage } from './images.queries.ts'

type Parts = Pick<Site, 'database' | 'storage' | 'variants' | 'ready' | 'hidden'>

export function imageRoutes(app: FastifyInstance, { database: { db }, storage, variants, ready, hidden }: Parts) {
  const hotFiles = createHotFiles(storage)
  // Names only. Stored files are removed only when no project has shown them for a month.
  const publicUrl = storage.direct?.publicUrl
  const storedNames = publicUrl ? new LRUCache<string, true>({ max: 50_000 }) : undefined

  serve(app, readImage, async ({ params: { hash }, query: { w, f }, request, reply }) => {
    const isHidden = await hidden.has(hash)
    if (isHidden && !(await app.sessions.find(request, reply))) throw new Problem('not_found')
    if (w || f) {
      const wanted = variantAsked(w, f)
      const name = variantName(hash, wanted)
      if (isHidden) return sendStandIn(reply, hash, wanted)
      if (publicUrl && (await isStored(name))) return redirectTo(reply, `${publicUrl}/${name}`)
      const file = await hotFiles.get(name)
      if (!file) return sendStandIn(reply, hash, wanted)
      const heads = headsOf(name, file.bytes, `image/${wanted.format}`)
      // What has come into the bucket since it was looked for is sent from there the next time.
      if (!publicUrl) {
        ready.remember(request, (headers) => {
          const content = hidden.isPerhaps(hash) ? undefined : hotFiles.inMemory(name)
          // One that was made anew may have another length.
          return content?.length === file.bytes ? immutableAnswer(headers, heads, content) : undefined
        })
      }
      return sendAnswer(reply, immutableAnswer(request.headers, heads, file.content))
    }
    const image = await findImage(db, hash)
    const name = imageName(hash)
    if (image && publicUrl && !isHidden && (await isStored(name))) return redirectTo(reply, `${publicUrl}/${name}`)
    const original = image && (await storage.stream(name))
    if (!original) throw new Problem('not_found')
    if (isHidden) return sendUncached(reply, original, image.contentType)
    const heads = headsOf(name, original.bytes, image.contentType)
    return sendAnswer(reply, immutableAnswer(request.headers, heads, original.content))
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
    if (isCommon(wanted) || (await isSitePhoto(db, hash))) variants.prioritize(hash, wanted)
    for (const variant of standIns(wanted)) {
      const file = await hotFiles.get(variantName(hash, variant))
      if (file) return sendUncached(reply, file, `image/${variant.format}`)
    }
    const original = await storage.stream(imageName(hash))
    if (!original) throw new Problem('not_found')
    return sendUncached(reply, original, image.contentType)
  }
}

/** For a day only: the owner may move the images elsewhere. */
function redirectTo(reply: FastifyReply, address: string) {
  return reply.header('cache-control', 'public, max-age=86400').redirect(address, 302)
}

/** A file that somebody uploaded is shown and never run. */
const shownOnly = { 'content-security-policy': "default-src 'none'; sandbox" }

function headsOf(name: string, bytes: number, contentType: string) {
  return immutableHeads({ etag: `"${name.slice(name.indexOf('/') + 1)}"`, bytes, contentType, others: shownOnly })
}

function sendUncached(reply: FastifyReply, { content, bytes }: StoredContent, contentType: string) {
  const headers = { ...shownOnly, 'cache-control': 'no-store', 'content-length': String(bytes), 'content-type': contentType }
  return sendAnswer(reply, { head: { status: 200, headers }, body: content })
}
