import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { withTimeout } from '../clock.ts'
import { loggedPath } from './request-log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes the readiness check fail, so that load balancers send no more requests. Requests are still served. */
    startDraining(): void
    isDraining(): boolean
    /** Closing waits for this response too. */
    follow(response: ServerResponse): void
    /** Accepts no new connections, waits for running requests, then cuts the rest: resolves to their methods and paths. */
    closeWithin(milliseconds: number): Promise<string[]>
  }
}

/** For connections whose last answer has been sent. */
const lingerTimeout = 500

/** While closing, each answer closes its connection: idle keep-alive connections would keep the process alive. */
export function drainBeforeClosing(app: FastifyInstance) {
  const running = new Set<ServerResponse>()
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
  // One function for all requests: a closure per request costs as much as a short answer.
  function forget(this: ServerResponse) {
    running.delete(this)
    if (running.size === 0) allAnswered()
  }
  app.decorate('follow', (response) => {
    running.add(response)
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
      if (running.size === 0) resolve()
    })
    const closed = app.close()
    await withTimeout(milliseconds, Promise.race([answered, closed]), undefined)
    const cut = [...running].map(({ req }) => `${req.method} ${loggedPath(req.url)}`)
    // Browsers open connections in advance, on which no request may ever come.
    if (cut.length === 0) await withTimeout(lingerTimeout, closed, undefined)
    app.server.closeAllConnections()
    await closed
    return cut
  })
}
