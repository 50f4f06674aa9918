import type { FastifyInstance } from 'fastify'
import { deleteContact, deleteContacts, listContacts } from '#contract/contacts.admin.ts'
import { sendContact, sendContactPhoto } from '#contract/contacts.ts'
import { maxImageBytes } from '#contract/images.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { sendList, serve } from '#server/http/serve.ts'
import * as queries from './contacts.queries.ts'
import type { ReceiveContact } from './receive-contact.ts'
import { photosOfVisitor, type VisitorPhotos } from './visitor-photos.ts'

type Parts = {
  db: Db
  receive: ReceiveContact
  photos: VisitorPhotos
  /** Removes photos whose message was deleted. */
  sweepPhotos(): Promise<void>
}

/** More than this from one visitor is spam, whichever way it comes. */
export const contactsOfVisitor = { max: 5, timeWindow: 10 * 60 * 1000, name: 'inquiries of a visitor' }

export function contactRoutes(app: FastifyInstance, { db, receive, photos, ...parts }: Parts) {
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
    await parts.sweepPhotos().catch((error: unknown) => app.log.warn({ err: error }, 'photos of visitors could not be removed'))
  }
}
