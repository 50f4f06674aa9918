import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { deleteContact, listContacts, sendContact } from '#contract/contacts.ts'
import type { Clock } from '#server/clock.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import * as queries from './contacts.queries.ts'

type Parts = { db: Db; clock: Clock }

/** More inquiries than this from one visitor are not inquiries. */
const perVisitor = { max: 5, timeWindow: 10 * 60 * 1000 }

export function contactRoutes(app: FastifyInstance, { db, clock }: Parts) {
  serve(
    app,
    sendContact,
    async ({ body: { website, ...message } }) => {
      // Refused and not swallowed: should a person's browser ever fill the hidden field, they learn that nothing was sent.
      if (website) throw new Problem('robot_suspected')
      await queries.insertContact(db, { ...message, id: randomUUID(), createdAt: clock.now().toISOString() })
      return { message: 'Message sent!' }
    },
    { rateLimit: perVisitor },
  )

  serve(app, listContacts, () => queries.listContacts(db))

  serve(app, deleteContact, async ({ params: { id } }) => {
    if (!(await queries.removeContact(db, id))) throw new Problem('message_not_found')
    return { message: 'Contact message deleted successfully' }
  })
}
