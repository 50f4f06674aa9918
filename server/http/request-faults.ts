import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { loggedPath } from './request-log.ts'

const connections = new AsyncLocalStorage<{ request?: FastifyRequest | undefined }>()

/** Keeps the running request of each connection, so that an exception can be attributed to it. */
export function followConnections(app: FastifyInstance) {
  // Before Node makes the connection's parser, whose async context all its requests inherit.
  app.server.prependListener('connection', () => connections.enterWith({}))
  app.addHook('onRequest', (request, reply, done) => {
    const connection = connections.getStore()
    if (connection) {
      connection.request = request
      const forget = () => {
        if (connection.request === request) connection.request = undefined
      }
      // A parser may still emit something after the last byte of the body.
      const closed = () => request.raw.closed && reply.raw.closed && setImmediate(forget)
      request.raw.once('close', closed)
      reply.raw.once('close', closed)
    }
    done()
  })
}

/**
 * An uncaught exception, such as an 'error' event without a listener, closes the connection of its request; without a request it
 * ends the process, which may be in an inconsistent state.
 */
export function surviveRequestFaults(log: FastifyBaseLogger) {
  process.on('uncaughtException', (error) => {
    const request = connections.getStore()?.request
    if (!request) {
      log.fatal({ err: error }, 'an unexpected exception: the process ends')
      process.exit(1)
    }
    const { method, url, raw } = request
    request.log.error(
      { err: error, method, path: loggedPath(url) },
      'an unexpected exception in a request: its connection is closed',
    )
    raw.socket.destroy()
  })
}
