import type { FastifyInstance } from 'fastify'
import { demoAdmin } from '#demo/admin.ts'
import { type Config, ConfigError } from '../config.ts'
import { DatabaseUnreachable } from '../database/database-errors.ts'
import { asDiskProblem, Problem } from '../http/problem.ts'
import { DataFolderInUse, DataFolderUnusable } from './data-folder.ts'
import { CannotStart } from './lost-database.ts'
import { StorageOfAnotherSite } from './site-id.ts'

type Options = { app: FastifyInstance; config: Config; demo: boolean }

/** Addresses and sign-in, printed after the start. */
export function welcome({ app, config, demo }: Options) {
  const bound = app.server.address()
  const port = typeof bound === 'object' && bound ? bound.port : config.port
  const address = config.publicUrl ?? `http://${config.loopbackOnly ? 'localhost' : config.host}:${port}`
  const records = config.databaseUrl ? 'PostgreSQL' : config.dataDir
  const photos = config.bucket ? `the bucket ${config.bucket.bucket}` : config.dataDir
  const lines = [
    ['Site', address],
    ['Admin', `${address}/admin/login`],
    ['Data', records === photos ? records : `${records}, photos in ${photos}`],
    demo
      ? ['Sign in', `${demoAdmin.username} / ${demoAdmin.password} (demo account, reachable from this machine only)`]
      : ['Sign in', 'with your account; npm run admin -- reset <username> if the password is lost'],
  ]
  return `\n${lines.map(([name, value]) => `  ${name?.padEnd(8)}${value}`).join('\n')}\n\n`
}

const refusals = [ConfigError, CannotStart, DataFolderInUse, DataFolderUnusable, DatabaseUnreachable, StorageOfAnotherSite]

/** Why the site could not start, for the terminal. */
export function explainFailure(thrown: unknown) {
  const error = asDiskProblem(thrown)
  if (refusals.some((kind) => error instanceof kind)) return (error as Error).message
  // The sentence of the problem says that nothing was changed, but the tables may be.
  if (error instanceof Problem && error.code === 'disk_full')
    return 'Cannot start: there is not enough room on the disk of the server. Free some room and start again.'
  if (error instanceof Problem) return `Cannot start: ${error.message}`
  const { code, address, port } = error as { code?: string; address?: string; port?: number }
  if (code === 'EADDRINUSE')
    return `Cannot start: something else is listening on ${address}:${port}. Set PORT to another number.`
  return `Cannot start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}
