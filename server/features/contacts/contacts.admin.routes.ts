import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import {
  changeContact,
  exportContacts,
  readContact,
  readContactNews,
  readContactPhoto,
  replyToContact,
  searchContacts,
} from '#contract/contacts.admin.ts'
import { mostReplies } from '#contract/contacts.fields.ts'
import { slice } from '#server/database/slices.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import { chosenLanguage } from '#server/http/visitor.ts'
import { countTroubled, withdrawMailsOf } from '#server/mail/outbox.queries.ts'
import type { Site } from '#server/site.ts'
import * as queries from './contacts.admin.queries.ts'
import { countByState } from './contacts.queries.ts'
import { fileNameOf, tableOf } from './contacts-csv.ts'

type Parts = Pick<Site, 'database' | 'clock' | 'contactMails' | 'visitorPhotos'>

/** What becomes of messages, for the maker. */
export function adminContactRoutes(
  app: FastifyInstance,
  { database, clock, contactMails: mails, visitorPhotos: photos }: Parts,
) {
  const { db } = database

  serve(app, searchContacts, async ({ query: { limit = slice, ...asked } }) => {
    const [page, newest] = await Promise.all([queries.searchContacts(db, { limit, ...asked }), queries.newestPlace(db)])
    return { ...page, newest }
  })

  serve(app, readContact, ({ params: { id } }) => existing(id))

  serve(app, readContactNews, async () => {
    const [counts, ends, troubledMails] = await Promise.all([countByState(db), queries.readEnds(db), countTroubled(db)])
    return { now: clock.now().toISOString(), counts, ...ends, troubledMails }
  })

  serve(app, changeContact, async ({ params: { id }, body }) => {
    if ('state' in body) {
      const { state } = body
      const isThere = await db.transaction().execute(async (tx) => {
        if (state === 'spam') await withdrawMailsOf(tx, id)
        return queries.changeState(tx, id, state, clock.now())
      })
      if (!isThere) throw new Problem('message_not_found')
    } else {
      const refused = await queries.changeNote(db, id, body, clock.now())
      if (refused) throw new Problem(refused)
    }
    return existing(id)
  })

  serve(app, replyToContact, async ({ params: { id: contactId }, body: { id, text } }) => {
    if (!mails.isOn) throw new Problem('mail_not_set_up')
    const kept = await database.exclusively(`reply ${id}`, async (tx) => {
      const inserted = await queries.insertReply(tx, { id, contactId, text }, clock.now())
      if (inserted && (await queries.countReplies(tx, contactId)) > mostReplies) throw new Problem('too_many_replies')
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
    const contact = await queries.findContact(db, id)
    if (!contact) throw new Problem('message_not_found')
    return contact
  }
}
