import { CamelCasePlugin, type Dialect, Kysely } from 'kysely'
import type { OpenOptions } from './open.ts'
import type { Tables } from './tables.ts'

export function kyselyOn(dialect: Dialect, onStatement?: OpenOptions['onStatement']) {
  return new Kysely<Tables>({
    dialect,
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    ...(onStatement && { log: ({ query }) => onStatement(query) }),
  })
}

/** Read by every health check: what visitors are shown, and a page of what the panel shows. */
export const healthQueries = [
  'select sum(length(title)) from projects',
  'select message from contact_messages limit 1',
  'select username from admin_users limit 1',
]
