import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { maxImageBytes } from '#contract/contact-fields.ts'
import { finalizeUpload, readImage, requestUpload, showQuarantine, uploadImage } from '#contract/images.ts'
import { isSitePhoto } from '#server/features/images/site-photos.ts'
import { immutableAnswer, immutableHeads, sendAnswer } from '#server/http/answers.ts'
import { calledAs } from '#server/http/own-address.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import type { Storage } from '#server/storage/storage.ts'
import { imageName, isCommon, requestedVariant, standIns, type Variant, variantName } from './image.rules.ts'
import { describeQuarantine } from './image-quarantine.ts'
import { findImage } from './images.queries.ts'
import { createUploads } from './uploads.ts'

export function imageRoutes(app: FastifyInstance, site: Site) {
  const {
    database: { db },
    storage,
    variants,
    ready,
    hidden,
  } = site
  const hotFiles = createHotFiles(storage)
  // Names that were in the bucket: they stay there for at least a month after the last project has shown them.
  const publicUrl = storage.direct?.publicUrl
  const storedNames = publicUrl ? new LRUCache<string, true>({ max: 50_000 }) : undefined

  serve(app, readImage, async ({ params: { hash }, query: { w, f }, request, reply }) => {
    const isHidden = await hidden.has(hash)
    if (isHidden && !(await app.sessions.find(request, reply))) throw new Problem('not_found')
    if (w || f) {
      const variant = requestedVariant(w, f)
      const name = variantName(hash, variant)
      if (isHidden) return sendStandIn(reply, hash, variant)
      if (publicUrl && (await isStored(name))) return redirectTo(reply, `${publicUrl}/${name}`)
      const file = await hotFiles.get(name)
      if (!file) return sendStandIn(reply, hash, variant)
      const heads = headsOf(name, file.bytes, `image/${variant.format}`)
      // With a bucket, the next request is redirected there instead.
      if (!publicUrl) {
        ready.remember(request, (headers) => {
          const content = hidden.isPerhaps(hash) ? undefined : hotFiles.inMemory(name)
          // A variant that was made again may have another length.
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

  serve(app, showQuarantine, () => describeQuarantine(storage))

  uploadRoutes(app, site)

  async function isStored(name: string) {
    if (storedNames?.has(name)) return true
    const isThere = await storage.has(name)
    if (isThere) storedNames?.set(name, true)
    return isThere
  }

  /** A visitor never waits for the encoder: another variant is sent, uncached, while this one is made. */
  async function sendStandIn(reply: FastifyReply, hash: string, requested: Variant) {
    const image = await findImage(db, hash)
    if (!image) throw new Problem('not_found')
    if (isCommon(requested) || (await isSitePhoto(db, hash))) variants.prioritize(hash, requested)
    for (const variant of standIns(requested)) {
      const file = await hotFiles.get(variantName(hash, variant))
      if (file) return sendUncached(reply, file, `image/${variant.format}`)
    }
    const original = await storage.stream(imageName(hash))
    if (!original) throw new Problem('not_found')
    return sendUncached(reply, original, image.contentType)
  }
}

/** Cached for a day only: the owner may move the images to another bucket. */
function redirectTo(reply: FastifyReply, address: string) {
  return reply.header('cache-control', 'public, max-age=86400').redirect(address, 302)
}

/** An uploaded file is shown and never run. */
const shownOnly = { 'content-security-policy': "default-src 'none'; sandbox" }

function headsOf(name: string, bytes: number, contentType: string) {
  return immutableHeads({ etag: `"${name.slice(name.indexOf('/') + 1)}"`, bytes, contentType, others: shownOnly })
}

function sendUncached(reply: FastifyReply, { content, bytes }: StoredContent, contentType: string) {
  const headers = { ...shownOnly, 'cache-control': 'no-store', 'content-length': String(bytes), 'content-type': contentType }
  return sendAnswer(reply, { head: { status: 200, headers }, body: content })
}

export type StoredContent = { content: Buffer | Readable; bytes: number }

/** The variants of some two hundred photos as phones request them. */
const maxBytes = 8 * 1024 * 1024
/** A wide variant is requested once, when a project is opened; it would evict what every visitor sees. */
const maxBytesEach = 192 * 1024

/** A cache of small files that visitors request often. Their content never changes, so they are never stale. */
export function createHotFiles(storage: Storage) {
  const files = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: ({ length }) => length || 1 })
  return {
    async get(name: string): Promise<StoredContent | undefined> {
      const cached = files.get(name)
      if (cached) return { content: cached, bytes: cached.length }
      const stored = await storage.stream(name)
      if (!stored || stored.bytes > maxBytesEach) return stored
      const content = await buffer(stored.content)
      files.set(name, content)
      return { content, bytes: content.length }
    },
    /** Without reading the storage. */
    inMemory: (name: string) => files.get(name),
  }
}

function uploadRoutes(app: FastifyInstance, site: Site) {
  const uploads = createUploads(site)
  const readJson = app.getDefaultJsonParser('error', 'error')

  app.register(async (scope) => {
    // The call may declare JSON and send none.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
      if (body === '') done(null, null)
      else readJson(request, String(body), done)
    })

    serve(scope, requestUpload, async ({ admin, body, request }) => ({
      uploadURL: await uploads.issue(admin.adminId, ownAddress(request), body),
    }))
  })

  app.register(async (scope) => {
    // Bodies are not read before the handler: an image is streamed.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))

    serve(scope, uploadImage, async ({ admin, params: { ticket }, request }) => {
      if (Number(request.headers['content-length']) > maxImageBytes) throw new Problem('image_too_large')
      await uploads.receive(admin.adminId, ticket, request.raw)
      return { message: 'The photo has arrived.' }
    })
  })

  serve(app, finalizeUpload, async ({ admin, body: { imageURL } }) => ({
    objectPath: await uploads.finalize(admin.adminId, imageURL),
  }))
}

/**
 * The site's address as the caller knows it. A browser's Origin is right behind any proxy, and foreign ones have been refused;
 * other clients send none and get the name they called.
 */
function ownAddress(request: FastifyRequest) {
  return request.headers.origin ?? calledAs(request) ?? 'http://localhost'
}
