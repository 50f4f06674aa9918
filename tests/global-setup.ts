import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { type S3Server, startS3 } from './s3.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of a database in the run's own cluster, with `DATABASE` where its name goes. */
    postgresUrl: string
    /** Answers with the address of the run's own S3 server, which starts when it is asked for. */
    s3Starter: string
  }
}

/** One PostgreSQL and one S3 for the whole run. What tests leave in them goes with them. */
export default async function setUp(project: TestProject) {
  // On a machine that has never built, this encodes the site's photos, which inside a test would look like hanging.
  await project.import('#web/entry.server.tsx')
  const cluster = await startPostgres()
  project.provide('postgresUrl', cluster.urlOf('DATABASE'))
  const s3 = await s3WhenAsked()
  project.provide('s3Starter', s3.url)
  return async () => {
    await Promise.all([cluster.stop(), s3.stop()])
  }
}

/** Most runs of a few files need none, and it takes a dozen seconds to start. */
async function s3WhenAsked() {
  let starting: Promise<S3Server> | undefined
  const door = createServer((_request, response) => {
    starting ??= startS3()
    starting.then(
      ({ endpoint }) => response.end(endpoint),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    async stop() {
      door.close()
      door.closeAllConnections()
      await starting?.then(
        (server) => server.stop(),
        () => {},
      )
    },
  }
}
