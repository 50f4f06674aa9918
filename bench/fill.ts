import { randomUUID } from 'node:crypto'
import { openDatabase } from '#server/database/open.ts'
import { aStoredProject, storeProject } from '#tests/factories.ts'

export type Crowd = { models: number; messages: number }

/** Puts so many into the database of a site that does not run; answers the oldest model's id. */
export async function fill(dataDir: string, { models, messages }: Crowd) {
  const { db, close } = await openDatabase({ dataDir })
  let oldest = ''
  await db.transaction().execute(async (tx) => {
    for (let number = 0; number < models; number += 1) {
      const project = aStoredProject({
        title: `Model number ${number}`,
        description: `A model with a story of its own, number ${number}. `.repeat(12),
        materials: 'Brass, pear wood, linen thread',
        createdAt: momentOf(models - number),
      })
      await storeProject(tx, project)
      oldest = project.id
    }
    for (let start = 0; start < messages; start += 100) {
      const some = Array.from({ length: Math.min(100, messages - start) }, (_, index) => aMessage(start + index))
      await tx.insertInto('contactMessages').values(some).execute()
    }
  })
  await close()
  return oldest
}

/** Most are closed, some wait, and one of all has the word that is searched for. */
function aMessage(number: number) {
  return {
    id: randomUUID(),
    name: `Visitor ${number}`,
    email: 'visitor@example.com',
    projectType: 'ship',
    message: `Could you build number ${number}? ${number === 7 ? 'Needle. ' : ''}`.repeat(8),
    state: number % 50 === 0 ? ('new' as const) : number % 20 === 0 ? ('spam' as const) : ('closed' as const),
    createdAt: momentOf(number),
  }
}

function momentOf(number: number) {
  return new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString()
}
