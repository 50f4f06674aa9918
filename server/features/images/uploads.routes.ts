import type { FastifyInstance, FastifyRequest } from 'fastify'
import { maxImageBytes } from '#contract/images.ts'
import { finalizeUpload, requestUpload, uploadImage } from '#contract/uploads.ts'
import { calledAs } from '#server/http/own-address.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { StoreParts } from './store-image.ts'
import { createUploads } from './uploads.ts'
import type { Variants } from './variants.ts'

export function uploadRoutes(app: FastifyInstance, parts: StoreParts & { variants: Variants }) {
  const uploads = createUploads(parts)
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

    serve(scope, uploadImage, async ({ admin, params: { ticket }, request, reply }) => {
      if (Number(request.headers['content-length']) > maxImageBytes) throw new Problem('image_too_large')
      const { id } = await uploads.receive(admin.adminId, ticket, request.raw)
      // Uppy takes an answer without an ETag for a failure.
      reply.header('etag', `"${id}"`)
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
