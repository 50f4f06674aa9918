import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { loggedPath } from './request-log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Tells load balancers to send nobody here any more. Everybody who comes all the same is served. */
    sayGoodbye(): void
    isLeaving(): boolean
    /**
     * Takes no new connections, answers what is under way for so long, and then cuts the rest. Answers what was cut, by method
     * and path.
     */
    closeWithin(milliseconds: number): Promise<string[]>
  }
}

/** How long a connection whose last answer has been sent may take to end by itself. */
const lastBytes = 500

/** Once the site is being stopped, each answer is the last on its connection; otherwise the process would wait for idle browsers. */
export function closeAfterLastAnswers(app: FastifyInstance) {
  const underWay = new Set<FastifyRequest>()
  let leaving = false
  let closing = false
  let allAnswered = () => {}
  app.decorate('sayGoodbye', () => {
    leaving = true
  })
  app.decorate('isLeaving', () => leaving)
  app.addHook('preClose', async () => {
    leaving = true
    closing = true
  })
  app.addHook('onRequest', async (request, reply) => {
    underWay.add(request)
    reply.raw.once('close', () => {
      underWay.delete(request)
      if (underWay.size === 0) allAnswered()
    })
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
    await Promise.race([answered, closed, wait(milliseconds, undefined, { ref: false })])
    const cut = [...underWay].map((request) => `${request.method} ${loggedPath(request)}`)
    // Browsers open connections ahead of need: those have no answer to wait for, and would never end.
    if (cut.length === 0) await Promise.race([closed, wait(lastBytes, undefined, { ref: false })])
    app.server.closeAllConnections()
    await closed
    return cut
  })
}
