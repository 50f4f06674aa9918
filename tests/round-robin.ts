import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

/** A load balancer: each request goes to the next in turn, and to the one after that when the connection is refused. */
export async function startRoundRobin(upstreams: string[]) {
  let turn = 0
  /** Of each request that failed, whom it had been handed to. */
  const failures: string[] = []

  function forward(incoming: IncomingMessage, response: ServerResponse, tries = upstreams.length) {
    const upstream = upstreams[turn % upstreams.length] ?? ''
    turn += 1
    const outgoing = ask(new URL(incoming.url ?? '/', upstream), {
      method: incoming.method,
      headers: incoming.headers,
      agent: false,
    })
    outgoing.once('socket', (socket) => socket.once('connect', () => incoming.pipe(outgoing)))
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, response).catch(() => failures.push(upstream))
    })
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries > 1) return forward(incoming, response, tries - 1)
      // The pipeline above fails too, and counts it.
      if (response.headersSent) return
      failures.push(upstream)
      response.writeHead(502).end()
    })
  }

  const server = createServer((incoming, response) => forward(incoming, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
