import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Topic, topics, watchChanges } from '#contract/overview.ts'
import { findWorking, readBackupState } from '#server/backup/backup-state.ts'
import { readEnds } from '#server/features/contacts/contacts.admin.queries.ts'
import { countByState } from '#server/features/contacts/contacts.queries.ts'
import { serve } from '#server/http/serve.ts'
import { readJobs } from '#server/jobs/jobs.ts'
import type { Site } from '#server/site.ts'

type Parts = Pick<Site, 'database' | 'clock'>

/** Over HTTP/1.1 a browser has six connections to a site, and each tab of the panel holds one. */
const maxOfSession = 3
const maxStreams = 100
/** Events are a few bytes: more than this piles up only where the client does not read. */
const maxUnread = 16 * 1024
const tick = 1_000
/** In ticks. Proxies close connections that are idle for a minute. */
const heartbeat = 15

/**
 * Notifies open panels of changes in any process: the topics are polled once a second in the database, and only while a panel
 * is open. Events carry only the name of a topic, so that data is read with the access of its call.
 */
export function eventRoutes(app: FastifyInstance, { database, clock }: Parts) {
  const { db } = database
  /** Each with the id of its session. */
  const streams = new Map<ServerResponse, string>()
  let marks: Record<Topic, string> | undefined
  let isWatching = false
  let isStopping = false

  serve(app, watchChanges, async ({ request, reply, admin: { sid } }) => {
    // Read before the answer, so that a change right after it is an event.
    const present = await readMarks()
    if (!isWatching) marks = present
    const ofSession = [...streams.values()].filter((each) => each === sid).length
    // 204 stops the browser from reconnecting.
    if (streams.size >= maxStreams || ofSession >= maxOfSession) return reply.code(204).send()
    reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no', connection: 'close' })
    if (request.method === 'HEAD') return reply.send()
    const stream = reply.hijack().raw
    // The connection may be closed already: an 'error' without a listener ends the process.
    stream.on('error', () => {})
    // A connection that was opened before the stop may send a request.
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
      // Not waiting for a client that does not read.
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
      // While the database is unreachable nothing is sent; the next tick compares with the last marks.
      await sendChanges().catch(() => {})
      if (ticks % heartbeat === 0) write(':\n\n')
      await wait(tick, undefined, { ref: false })
    }
    isWatching = false
  }

  async function sendChanges() {
    const alive = await db
      .selectFrom('sessions')
      .select('sid')
      .where('sid', 'in', [...streams.values()])
      .where('expire', '>', clock.now().toISOString())
      .execute()
    for (const [stream, sid] of streams) {
      if (alive.some((session) => session.sid === sid)) continue
      // Asking again at once, the panel hears that its session has ended.
      stream.write('retry: 0\n\n')
      end(stream)
    }
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
      Promise.all([readBackupState(db), readJobs(db), findWorking(database)]),
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
