import type { FastifyInstance } from 'fastify'

/** Once the site is being stopped, each answer is the last on its connection; otherwise the process would wait for idle browsers. */
export function closeAfterLastAnswers(app: FastifyInstance) {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}
