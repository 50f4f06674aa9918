import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Topic, topics, watchChanges } from '#contract/events.ts'
import { readCare } from '#server/features/backups/care.queries.ts'
import { findWorking } from '#server/features/backups/progress.ts'
import { readEnds } from '#server/features/contacts/contacts.admin.queries.ts'
import { countByState } from '#server/features/contacts/contacts.queries.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'

type Parts = Pick<Site, 'database' | 'clock'>

/** A browser has six connections to a site over HTTP/1.1, and each tab of the panel holds one of them open. */
const maxOfSession = 3
const maxStreams = 100
/** Events are a few bytes: more than this waits only for a reader that does not read. */
const maxUnread = 16 * 1024
const tick = 1_000
/** In ticks. Proxies end what is silent for a minute. */
const heartbeat = 15

/**
 * Tells open panels what has changed, in whichever process: what the topics are made of is read once a second, and only while
 * a panel is open. Events carry a name alone, so that every call keeps its own access.
 */
export function eventRoutes(app: FastifyInstance, { database, clock }: Parts) {
  const { db } = database
  /** With the session each belongs to. */
  const streams = new Map<ServerResponse, string>()
  let marks: Record<Topic, string> | undefined
  let isWatching = false
  let isStopping = false

  serve(app, watchChanges, async ({ request, reply, admin: { sid } }) => {
    // Before the answer: a change right after it is an event.
    const present = await readMarks()
    if (!isWatching) marks = present
    const ofSession = [...streams.values()].filter((each) => each === sid).length
    // 204 is what ends a browser's attempts to connect again.
    if (streams.size >= maxStreams || ofSession >= maxOfSession) return reply.code(204).send()
    reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', connection: 'close' })
    if (request.method === 'HEAD') return reply.send()
    const stream = reply.hijack().raw
    // One that has gone in this moment: without a listener it would end the process.
    stream.on('error', () => {})
    // A connection from before the stop may still ask.
    if (isStopping) return stream.destroy() && reply
    streams.set(stream, sid)
    stream.on('close', () => streams.delete(stream))
    stream.writeHead(200, reply.getHeaders() as Record<string, string>)
    stream.write('retry: 5000\n\n')
    if (!isWatching) void watch()
    return reply
  })

  app.addHook('preClose', async () => {
    isStopping = true
    for (const stream of streams.keys()) {
      // What a slow reader has not taken is not waited for.
      if (stream.writableLength > 0) stream.destroy()
      else end(stream)
    }
  })

  function end(stream: ServerResponse) {
    streams.delete(stream)
    stream.end()
  }

  async function watch() {
    isWatching = true
    for (let ticks = 1; streams.size > 0; ticks += 1) {
      // While the database is away there is nothing to tell; the next tick compares with what was read last.
      await tellChanges().catch(() => {})
      if (ticks % heartbeat === 0) write(':\n\n')
      await wait(tick, undefined, { ref: false })
    }
    isWatching = false
  }

  async function tellChanges() {
    const alive = await db
      .selectFrom('sessions')
      .select('sid')
      .where('sid', 'in', [...streams.values()])
      .where('expire', '>', clock.now().toISOString())
      .execute()
    for (const [stream, sid] of streams) if (!alive.some((session) => session.sid === sid)) end(stream)
    const before = marks
    const now = await readMarks()
    marks = now
    if (before) write(...topics.filter((topic) => now[topic] !== before[topic]).map((topic) => `data: ${topic}\n\n`))
  }

  function write(...events: string[]) {
    for (const stream of streams.keys()) {
      for (const event of events) stream.write(event)
      if (stream.writableLength > maxUnread) stream.destroy()
    }
  }

  /** For each topic a text that differs after every change that the panel shows. */
  async function readMarks(): Promise<Record<Topic, string>> {
    const { fn } = db
    const [{ contentVersion, ...steps }, contacts, mails, backups, checked] = await Promise.all([
      db.selectFrom('site').select(['contentVersion', 'firstStepsDone', 'backupTakenAt']).executeTakeFirstOrThrow(),
      Promise.all([countByState(db), readEnds(db)]),
      db
        .selectFrom('outbox')
        .select(['state', fn.countAll().as('count'), fn.sum('attempts').as('attempts')])
        .select([fn.count('lastError').as('failures'), fn.max('lastError').as('error')])
        .groupBy('state')
        .orderBy('state')
        .execute(),
      Promise.all([readCare(db), findWorking(database)]),
      db
        .selectFrom('knownBackups')
        .select([fn.countAll().as('count'), fn.count('copiedAt').as('copies')])
        .execute(),
    ])
    return {
      content: contentVersion,
      contacts: JSON.stringify([contacts, mails]),
      backups: JSON.stringify([steps, backups, checked]),
    }
  }
}
