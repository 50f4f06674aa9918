import type { Db } from '#server/database/tables.ts'
import { eachContact } from '#server/features/contacts/contacts.queries.ts'
import { eachProject } from '#server/features/projects/projects.queries.ts'

/** Newest first, as the site lists them. */
export const allProjects = (db: Db) => together(eachProject(db, {}))
export const allContacts = (db: Db) => together(eachContact(db))

async function together<T>(slices: AsyncIterable<T[]>) {
  const all: T[] = []
  for await (const records of slices) all.push(...records)
  return all
}
