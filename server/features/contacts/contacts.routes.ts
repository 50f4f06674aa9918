import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
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
import { slice } from '#server/database/slices.ts'
import type { Db } from '#server/database/tables.ts'
import { type Doer, noteActivity, noteDownload } from '#server/features/activity/activity.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { sendList, serve } from '#server/http/serve.ts'
import { chosenLanguage } from '#server/http/visitor.ts'
import { countTroubled, withdrawMailsOf } from '#server/mail/outbox.queries.ts'
import type { Site } from '#server/site.ts'
import { mailReply } from './contact-mails.ts'
import * as adminQueries from './contacts.admin.queries.ts'
import * as queries from './contacts.queries.ts'
import { contactsOfVisitor, receiveContact } from './receive-contact.ts'
import { openPhoto, photosOfVisitor, receivePhoto, sweepPhotos } from './visitor-photos.ts'

/** Of a visitor's photo in the list of messages, where it is 144 px wide. */
const smallCopy = { width: 480, format: 'webp' } as const

export function contactRoutes(app: FastifyInstance, site: Site) {
  const { clock, database } = site
  const { db } = database

  serve(
    app,
    sendContact,
    async ({ body, request, reply }) => {
      const { photosLost, answerBy, isNew, about } = await receiveContact(site, body, () => reply.raw.destroyed)
      if (isNew) site.visits.ofMessage(request.raw, about)
      return { message: 'Message sent!', answerBy, ...(photosLost > 0 && { photosLost }) }
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
        const arrived = await receivePhoto(site, raw, ip).catch((error: unknown) => {
          // Read to its end: otherwise the connection stays open.
          raw.resume()
          throw error
        })
        return { photo: await arrived.keep() }
      },
      { rateLimit: photosOfVisitor },
    )
  })

  serve(app, listContacts, async ({ query: { limit, after, with: more }, reply }) => {
    const columns = more ? [more] : []
    return limit
      ? queries.listContacts(db, { limit, after }, columns)
      : sendList(reply, queries.eachContact(db, after, columns))
  })

  serve(app, deleteContact, async ({ params: { id }, admin }) => {
    if ((await queries.removeContacts(db, [id], { note: noteRemoved(admin) })) === 0) throw new Problem('message_not_found')
    await removePhotos()
    return { message: 'Contact message deleted successfully' }
  })

  serve(
    app,
    deleteContacts,
    async ({ body, admin }) => {
      const note = noteRemoved(admin)
      const deleted =
        'ids' in body
          ? await queries.removeContacts(db, body.ids, { note })
          : await queries.removeContactsUpTo(db, body.upTo, { ...body, note })
      await removePhotos()
      return { message: `Contact messages deleted: ${deleted}`, deleted }
    },
    { onFullDisk: true },
  )

  /** One entry, whose number grows with each transaction. */
  function noteRemoved(doer: Doer) {
    const id = randomUUID()
    let count = 0
    return async (tx: Db, removed: number) => {
      count += removed
      await noteActivity(tx, doer, { kind: 'messages_deleted', id, count }, clock.now())
    }
  }

  /** Photos that cannot be removed now, or are too many for one answer, are removed within the hour. */
  async function removePhotos() {
    await sweepPhotos(site, { most: slice }).catch((error: unknown) =>
      app.log.warn({ err: error }, 'photos of visitors could not be removed'),
    )
  }
}

/** What becomes of messages, for the maker. */
export function adminContactRoutes(app: FastifyInstance, site: Site) {
  const { config, database, clock, mailer } = site
  const { db } = database

  serve(app, searchContacts, async ({ query: { limit = slice, ...filter } }) => {
    const [page, newest] = await Promise.all([
      adminQueries.searchContacts(db, { limit, ...filter }),
      adminQueries.newestPlace(db),
    ])
    return { ...page, newest }
  })

  serve(app, readContact, ({ params: { id } }) => existing(id))

  serve(app, readContactNews, async ({ admin: { role } }) => {
    const [counts, { newest }, waiting, troubledMails] = await Promise.all([
      queries.countByState(db),
      adminQueries.readEnds(db),
      adminQueries.listFirstWaiting(db),
      role === 'owner' ? countTroubled(db) : 0,
    ])
    return { now: clock.now().toISOString(), counts, waiting, newest, troubledMails }
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

  serve(app, replyToContact, async ({ params: { id: contactId }, body: { id, text }, admin }) => {
    const { mail } = config
    if (!mail) throw new Problem('mail_not_set_up')
    const kept = await database.exclusively(`reply ${id}`, async (tx) => {
      const inserted = await adminQueries.insertReply(tx, { id, contactId, text }, clock.now())
      if (inserted && (await adminQueries.countReplies(tx, contactId)) > mostReplies) throw new Problem('too_many_replies')
      if (!inserted) return undefined
      await mailReply(tx, mail, inserted, clock.now())
      await noteActivity(tx, admin, { kind: 'message_replied' }, clock.now())
      return inserted
    })
    if (kept) mailer.wake()
    return existing(contactId)
  })

  serve(app, readContactPhoto, async ({ params: { hash }, query: { size }, reply }) => {
    const photo = await openPhoto(site, hash)
    if (!photo) throw new Problem('not_found')
    // A file of a visitor is shown and never run. It is named by its content: the browser may keep it.
    reply.header('content-security-policy', "default-src 'none'; sandbox").header('cache-control', 'private, max-age=43200')
    if (size === 'small') {
      const small = await site.encoder.makeVariant(await buffer(photo.content), smallCopy, 'high')
      return reply.type(`image/${smallCopy.format}`).send(small)
    }
    return reply.header('content-length', photo.bytes).type(photo.contentType).send(photo.content)
  })

  serve(app, exportContacts, async ({ query: { lang, ...filter }, request, reply, admin }) => {
    const language = lang ?? chosenLanguage(request).language
    const { fileNameOf, tableOf } = await import('./contacts-csv.ts')
    if (request.method === 'GET') await noteDownload(db, admin, { kind: 'messages_downloaded' }, clock.now())
    return reply
      .header('content-disposition', `attachment; filename="${fileNameOf(language, clock.now())}"`)
      .type('text/csv; charset=utf-8')
      .send(Readable.from(tableOf(db, filter, language), { objectMode: false }))
  })

  async function existing(id: string) {
    const contact = await adminQueries.findContact(db, id)
    if (!contact) throw new Problem('message_not_found')
    return contact
  }
}
