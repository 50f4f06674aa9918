import { randomUUID } from 'node:crypto'
import { categories } from '#contract/first-visit.ts'
import { openDatabase } from '#server/database/open.ts'
import { insertContacts } from '#server/features/contacts/contacts.queries.ts'
import { aContact, aProject } from '../factories.ts'

const minutesAfter = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString()

/** Model 1 is the newest; the categories take turns. */
export function manyProjects(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    ...aProject({
      title: `Model ${index + 1}`,
      translations: {
        es: { title: `Modelo ${index + 1}`, description: 'Un remolcador de vapor con sus defensas.' },
      },
      category: categories[index % categories.length] ?? 'ships',
      imageUrl: 'https://older-site.example/tug.jpg',
      scale: `1:${index + 1}`,
      timeSpent: '40',
      materials: 'Brass',
      techniques: 'Soldering',
    }),
    id: randomUUID(),
    createdAt: minutesAfter(count - index),
  }))
}

/** Writer 1 is the newest. */
export function manyContacts(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    ...aContact({ name: `Writer ${index + 1}` }),
    id: randomUUID(),
    createdAt: minutesAfter(count - index),
  }))
}

/** Puts more of them into the database of a site than can be sent to it: every third waits, the others are closed. */
export async function storeManyContacts(dataDir: string, count: number) {
  const { db, close } = await openDatabase({ dataDir })
  const contacts = manyContacts(count).map((contact, index) => ({ ...contact, state: index % 3 ? 'closed' : 'new' }) as const)
  await db.transaction().execute((tx) => insertContacts(tx, contacts))
  await close()
}
