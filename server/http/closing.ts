import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Tells load balancers to send nobody here any more. Everybody who comes all the same is served. */
    sayGoodbye(): void
    isLeaving(): boolean
  }
}

/** Once the site is being stopped, each answer is the last on its connection; otherwise the process would wait for idle browsers. */
export function closeAfterLastAnswers(app: FastifyInstance) {
  let leaving = false
  let closing = false
  app.decorate('sayGoodbye', () => {
    leaving = true
  })
  app.decorate('isLeaving', () => leaving)
  app.addHook('preClose', async () => {
    leaving = true
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}
