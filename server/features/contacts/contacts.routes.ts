import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { maxImageBytes } from '#contract/contact-fields.ts'
import {
  changeContact,
  deleteContact,
  deleteContacts,
  exportContacts,
  listContacts,
  mostReplies,
  readContact,
  readContactNews,
  readContactPhoto,
  replyToContact,
  searchContacts,
} from '#contract/contacts.admin.ts'
import { sendContact, sendContactPhoto } from '#contract/contacts.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { slice } from '#server/database/slices.ts'
import type { Db } from '#server/database/tables.ts'
import { chosenLanguage } from '#server/http/chosen-language.ts'
import { sendList } from '#server/http/json-list.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import { countTroubled, withdrawMailsOf } from '#server/mail/outbox.queries.ts'
import type { ContactMails } from './contact-mails.ts'
import * as adminQueries from './contacts.admin.queries.ts'
import * as queries from './contacts.queries.ts'
import { countByState } from './contacts.queries.ts'
import { fileNameOf, tableOf } from './contacts-csv.ts'
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

type AdminParts = { database: Database; clock: Clock; mails: ContactMails; photos: VisitorPhotos }

/** What becomes of messages, for the maker. */
export function adminContactRoutes(app: FastifyInstance, { database, clock, mails, photos }: AdminParts) {
  const { db } = database

  serve(app, searchContacts, async ({ query: { limit = slice, ...asked } }) => {
    const [page, newest] = await Promise.all([
      adminQueries.searchContacts(db, { limit, ...asked }),
      adminQueries.newestPlace(db),
    ])
    return { ...page, newest }
  })

  serve(app, readContact, ({ params: { id } }) => existing(id))

  serve(app, readContactNews, async () => {
    const [counts, ends, troubledMails] = await Promise.all([countByState(db), adminQueries.readEnds(db), countTroubled(db)])
    return { now: clock.now().toISOString(), counts, ...ends, troubledMails }
  })

  serve(app, changeContact, async ({ params: { id }, body }) => {
    if ('state' in body) {
      const { state } = body
      const isThere = await db.transaction().execute(async (tx) => {
        if (state === 'spam') await withdrawMailsOf(tx, id)
        return adminQueries.changeState(tx, id, state, clock.now())
      })
      if (!isThere) throw new Problem('message_not_found')
    } else {
      const refused = await adminQueries.changeNote(db, id, body, clock.now())
      if (refused) throw new Problem(refused)
    }
    return existing(id)
  })

  serve(app, replyToContact, async ({ params: { id: contactId }, body: { id, text } }) => {
    if (!mails.isOn) throw new Problem('mail_not_set_up')
    const kept = await database.exclusively(`reply ${id}`, async (tx) => {
      const inserted = await adminQueries.insertReply(tx, { id, contactId, text }, clock.now())
      if (inserted && (await adminQueries.countReplies(tx, contactId)) > mostReplies) throw new Problem('too_many_replies')
      if (inserted) await mails.ofReply(tx, inserted.contact, inserted.reply)
      return inserted
    })
    if (kept) mails.wake()
    return existing(contactId)
  })

  serve(app, readContactPhoto, async ({ params: { hash }, reply }) => {
    const photo = await photos.find(hash)
    if (!photo) throw new Problem('not_found')
    return (
      reply
        .header('content-length', photo.bytes)
        // A file that somebody sent is shown and never run.
        .header('content-security-policy', "default-src 'none'; sandbox")
        .type(photo.contentType)
        .send(photo.content)
    )
  })

  serve(app, exportContacts, async ({ query: { lang, ...wanted }, request, reply }) => {
    const language = lang ?? chosenLanguage(request).language
    return reply
      .header('content-disposition', `attachment; filename="${fileNameOf(language, clock.now())}"`)
      .type('text/csv; charset=utf-8')
      .send(Readable.from(tableOf(db, wanted, language), { objectMode: false }))
  })

  async function existing(id: string) {
    const contact = await adminQueries.findContact(db, id)
    if (!contact) throw new Problem('message_not_found')
    return contact
  }
}
