import { existsSync, statfsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/database/open.ts'
import { startPostgres } from './postgres.ts'
import { type S3Server, startS3 } from './s3.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of a database in the run's own cluster, with `DATABASE` where its name goes. */
    postgresUrl: string
    /** Databases with all tables and nothing in them, to be copied: a name in that cluster, and a file. */
    migrated: { postgres: string; sqlite: string }
    /** Answers with the address of the run's own S3 server, which starts when it is asked for. */
    s3Starter: string
  }
}

/** One PostgreSQL, one S3 and one temporary folder for the whole run. What tests leave in them goes with them. */
export default async function setUp(project: TestProject) {
  const folder = await temporaryFolderOfTheRun()
  process.env.TMPDIR = folder
  process.env.SAME_PRIORITY = 'yes'
  const cluster = await startPostgres()
  project.provide('postgresUrl', cluster.urlOf('DATABASE'))
  project.provide('migrated', { postgres: 'vitrina', sqlite: path.join(folder, 'vitrina.sqlite') })
  const administration = new pg.Client({ connectionString: cluster.urlOf('postgres') })
  await administration.connect()
  await administration.query('create database vitrina')
  await administration.end()
  for (const url of [undefined, cluster.urlOf('vitrina')]) await (await openDatabase({ url, dataDir: folder })).close()
  const s3 = await startS3OnDemand()
  project.provide('s3Starter', s3.url)
  return async () => {
    await Promise.all([cluster.stop(), s3.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * In memory where there is room: half of a run on a disk would be waiting for fsync, which says nothing here. What a killed
 * process has written stays written either way.
 */
async function temporaryFolderOfTheRun() {
  const memory = '/dev/shm'
  const { bavail, bsize } = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 }
  const folder = await mkdtemp(path.join(bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir(), 'vitrina-run-'))
  // PostgreSQL, and programs the tests start under other accounts, have folders of their own in it.
  await chmod(folder, 0o755)
  return folder
}

/** Most runs of a few files need none, and it takes a dozen seconds to start. */
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
