import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/database/open.ts'
import { openDiskReserve } from '#server/storage/disk.ts'
import { startPostgres } from './postgres.ts'
import { openRunFolder } from './run-folder.ts'
import { type S3Server, startS3 } from './s3.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of a database in the run's own cluster, with `DATABASE` where its name goes. */
    postgresUrl: string
    /** Databases with all tables and nothing in them, to be copied: a name in that cluster, and a file. */
    migrated: { postgres: string; sqlite: string }
    /** The file that reserves space, to be linked: writing its 8 MB for each site took a tenth of the run. */
    reserve: string
    /** Answers with the address of the run's own S3 server, which starts when it is asked for. */
    s3Starter: string
  }
}

/** One PostgreSQL, one S3 and one temporary folder for the whole run. What tests leave in them goes with them. */
export default async function setUp(project: TestProject) {
  const { folder, remove } = await openRunFolder()
  const cluster = await startPostgres()
  project.provide('postgresUrl', cluster.urlOf('DATABASE'))
  project.provide('migrated', { postgres: 'vitrina', sqlite: path.join(folder, 'vitrina.sqlite') })
  const administration = new pg.Client({ connectionString: cluster.urlOf('postgres') })
  await administration.connect()
  await administration.query('create database vitrina')
  await administration.end()
  for (const url of [undefined, cluster.urlOf('vitrina')]) await (await openDatabase({ url, dataDir: folder })).close()
  await openDiskReserve(folder).hasRoom()
  project.provide('reserve', path.join(folder, 'reserve'))
  const s3 = await startS3OnDemand()
  project.provide('s3Starter', s3.url)
  return async () => {
    await Promise.all([cluster.stop(), s3.stop()])
    await remove()
  }
}

/** Most runs of a few files need none. */
async function startS3OnDemand() {
  let starting: Promise<S3Server> | undefined
  const starter = createServer((_request, response) => {
    starting ??= startS3()
    starting.then(
      ({ endpoint }) => response.end(endpoint),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => starter.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(starter.address() as AddressInfo).port}`,
    async stop() {
      starter.close()
      starter.closeAllConnections()
      await starting?.then(
        (server) => server.stop(),
        () => {},
      )
    },
  }
}
