import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { deleteContact, deleteContacts, listContacts } from '#contract/contacts.admin.ts'
import { type ContactDraft, sendContact } from '#contract/contacts.ts'
import type { Clock } from '#server/clock.ts'
import { insertContacts } from '#server/database/contact-records.ts'
import type { Database } from '#server/database/open.ts'
import { sendList } from '#server/http/json-list.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import * as queries from './contacts.queries.ts'
import { countTowardsHourlyLimit } from './hourly-limit.ts'

type Parts = { database: Database; clock: Clock }

/** More than this from one visitor is spam. */
const perVisitor = { max: 5, timeWindow: 10 * 60 * 1000 }

/** The same again so soon was sent twice by mistake. */
const repeatedWithin = 10 * 60 * 1000

export function contactRoutes(app: FastifyInstance, { database, clock }: Parts) {
  const { db } = database

  serve(
    app,
    sendContact,
    async ({ body }) => {
      await storeOnce(body)
      return { message: 'Message sent!' }
    },
    { rateLimit: perVisitor },
  )

  serve(app, listContacts, async ({ query: { limit, after }, reply }) =>
    limit ? queries.listContacts(db, { limit, after }) : sendList(reply, queries.eachContact(db, after)),
  )

  serve(app, deleteContact, async ({ params: { id } }) => {
    if (!(await queries.removeContact(db, id))) throw new Problem('message_not_found')
    return { message: 'Contact message deleted successfully' }
  })

  serve(
    app,
    deleteContacts,
    async ({ body }) => {
      const deleted =
        'ids' in body
          ? await queries.removeContacts(db, body.ids)
          : await queries.removeContactsUpTo(db, body.upTo, body.except)
      return { message: `Contact messages deleted: ${deleted}`, deleted }
    },
    { onFullDisk: true },
  )

  async function storeOnce({ name, email, projectType, message, website, language = 'en' }: ContactDraft) {
    const contact = { name, email, projectType, message }
    const now = clock.now()
    const away = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString()
    // A lock for each content: other messages do not wait.
    await database.exclusively(`contact ${hashOf(contact)}`, async (tx) => {
      // In both directions, because the clocks of two machines differ.
      if (await queries.hasContactBetween(tx, contact, away(-repeatedWithin), away(repeatedWithin))) return
      if (app.rateLimitsOn) await countTowardsHourlyLimit(tx, contact, now)
      const spam = website ? ({ state: 'spam', spamReason: 'hidden_field' } as const) : {}
      await insertContacts(tx, [{ ...contact, ...spam, language, id: randomUUID(), createdAt: now.toISOString() }])
    })
  }
}

function hashOf({ name, email, projectType, message }: queries.NewContact) {
  return createHash('sha256')
    .update(JSON.stringify([name, email, projectType, message]))
    .digest('hex')
}
