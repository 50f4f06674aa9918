import type { FastifyInstance } from 'fastify'
import { deleteContact, deleteContacts, listContacts } from '#contract/contacts.admin.ts'
import { sendContact, sendContactPhoto } from '#contract/contacts.ts'
import { maxImageBytes } from '#contract/images.ts'
import { slice } from '#server/database/slices.ts'
import { Problem } from '#server/http/problem.ts'
import { sendList, serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import * as queries from './contacts.queries.ts'
import { contactsOfVisitor } from './receive-contact.ts'
import { sweepPhotos as sweepPhotosOfVisitors } from './sweep-contacts.ts'
import { photosOfVisitor } from './visitor-photos.ts'

type Parts = Pick<Site, 'database' | 'storage' | 'clock' | 'receiveContact' | 'visitorPhotos'>

export function contactRoutes(app: FastifyInstance, { receiveContact: receive, visitorPhotos: photos, ...parts }: Parts) {
  const { db } = parts.database

  serve(
    app,
    sendContact,
    async ({ body, reply }) => {
      const { photosLost } = await receive(body, () => reply.raw.destroyed)
      return { message: 'Message sent!', ...(photosLost > 0 && { photosLost }) }
    },
    { rateLimit: contactsOfVisitor },
  )

  app.register(async (scope) => {
    // Bodies are not read before the handler: a photo is streamed.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))

    serve(
      scope,
      sendContactPhoto,
      async ({ request: { headers, raw, ip } }) => {
        if (Number(headers['content-length']) > maxImageBytes) throw new Problem('image_too_large')
        const arrived = await photos.receive(raw, ip).catch((error: unknown) => {
          // Read to its end: a connection with unread bytes would stay open.
          raw.resume()
          throw error
        })
        return { photo: await arrived.keep() }
      },
      { rateLimit: photosOfVisitor },
    )
  })

  serve(app, listContacts, async ({ query: { limit, after }, reply }) =>
    limit ? queries.listContacts(db, { limit, after }) : sendList(reply, queries.eachContact(db, after)),
  )

  serve(app, deleteContact, async ({ params: { id } }) => {
    if ((await queries.removeContacts(db, [id])) === 0) throw new Problem('message_not_found')
    await sweepPhotos()
    return { message: 'Contact message deleted successfully' }
  })

  serve(
    app,
    deleteContacts,
    async ({ body }) => {
      const deleted =
        'ids' in body
          ? await queries.removeContacts(db, body.ids)
          : await queries.removeContactsUpTo(db, body.upTo, body, body.except)
      await sweepPhotos()
      return { message: `Contact messages deleted: ${deleted}`, deleted }
    },
    { onFullDisk: true },
  )

  /** What is left of them, or cannot be removed now, is removed within the hour. */
  async function sweepPhotos() {
    await sweepPhotosOfVisitors(parts, { most: slice }).catch((error: unknown) =>
      app.log.warn({ err: error }, 'photos of visitors could not be removed'),
    )
  }
}
