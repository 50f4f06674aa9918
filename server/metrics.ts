import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Connections } from './database/open.ts'
import type { Answered } from './http/request-log.ts'

type Parts = {
  connections(): Connections | undefined
  /** The lengths of the queues. */
  waitingImages(): number
  waitingVariants(): number
}

/** In seconds: from a cached page to a restore of gigabytes. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300]

/** Metrics for Prometheus. Its library is loaded only where METRICS_PORT is set. */
export async function openMetrics({ connections, waitingImages, waitingVariants }: Parts) {
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const register = new Registry()
  collectDefaultMetrics({ register })
  const times = new Histogram({
    name: 'vitrina_request_seconds',
    help: 'How long requests took, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers: [register],
  })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        this.set(read())
      },
    })
  gauge('vitrina_encoder_waiting', 'Photos that wait to be decoded or encoded.', waitingImages)
  gauge('vitrina_copies_waiting', 'Smaller copies of photos that are still to be made.', waitingVariants)
  if (connections()) {
    const read = (count: keyof Connections) => () => connections()?.[count] ?? 0
    gauge('vitrina_database_connections', 'Connections to PostgreSQL.', read('open'))
    gauge('vitrina_database_connections_idle', 'Connections to PostgreSQL that are not in use.', read('idle'))
    gauge('vitrina_database_connections_most', 'How many connections this process may have.', read('max'))
    gauge('vitrina_database_waiting', 'Requests that wait for a connection to PostgreSQL.', read('waiting'))
  }

  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    const text = await register.metrics()
    return response.writeHead(200, { 'content-type': register.contentType, 'cache-control': 'no-store' }).end(text)
  })
  return {
    answered({ method, route, status, seconds }: Answered) {
      times.observe({ method, route, status }, seconds)
    },
    /** On a port of its own, which visitors cannot reach. Resolves to the port. */
    async listen(port: number, host: string) {
      server.listen(port, host)
      await once(server, 'listening')
      const address = server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
