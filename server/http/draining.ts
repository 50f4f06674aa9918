import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { withTimeout } from '../clock.ts'
import { loggedPath } from './request-log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Tells load balancers to send no more requests here. Those that come all the same are served. */
    startDraining(): void
    isDraining(): boolean
    /** Waits for this answer too. */
    follow(response: ServerResponse): void
    /** Takes no new connections, waits so long for requests under way, and cuts the rest: answers them by method and path. */
    closeWithin(milliseconds: number): Promise<string[]>
  }
}

/** How long a connection whose last answer has been sent may take to end by itself. */
const lingerTimeout = 500

/** Once the site is closing, each answer is the last on its connection; otherwise idle browsers would keep the process alive. */
export function drainBeforeClosing(app: FastifyInstance) {
  const underWay = new Set<ServerResponse>()
  let draining = false
  let closing = false
  let allAnswered = () => {}
  app.decorate('startDraining', () => {
    draining = true
  })
  app.decorate('isDraining', () => draining)
  app.addHook('preClose', async () => {
    draining = true
    closing = true
  })
  // One function for all: one for each request would cost as much as the rest of a short answer.
  function forget(this: ServerResponse) {
    underWay.delete(this)
    if (underWay.size === 0) allAnswered()
  }
  app.decorate('follow', (response) => {
    underWay.add(response)
    response.on('close', forget)
  })
  app.addHook('onRequest', (_request, reply, done) => {
    app.follow(reply.raw)
    done()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
  app.decorate('closeWithin', async (milliseconds: number) => {
    const answered = new Promise<void>((resolve) => {
      allAnswered = resolve
      if (underWay.size === 0) resolve()
    })
    const closed = app.close()
    await withTimeout(milliseconds, Promise.race([answered, closed]), undefined)
    const cut = [...underWay].map(({ req }) => `${req.method} ${loggedPath(req.url)}`)
    // Browsers open connections ahead of need, which have no answer to wait for and would never end.
    if (cut.length === 0) await withTimeout(lingerTimeout, closed, undefined)
    app.server.closeAllConnections()
    await closed
    return cut
  })
}
