import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of a database in the run's own cluster, with `DATABASE` where its name goes. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the whole run. Its databases are not dropped one by one: they go with it. */
export default async function setUp(project: TestProject) {
  // On a machine that has never built, this encodes the site's photos, which inside a test would look like hanging.
  await project.import('#web/entry.server.tsx')
  const cluster = await startPostgres()
  project.provide('postgresUrl', cluster.urlOf('DATABASE'))
  return cluster.stop
}
