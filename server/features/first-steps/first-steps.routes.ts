import type { FastifyInstance } from 'fastify'
import { storedHash } from '#contract/first-visit.ts'
import {
  bringBackDemoProjects,
  type FirstSteps,
  putFirstStepsAway,
  readFirstSteps,
  removeDemoProjects,
} from '#contract/overview.ts'
import type { Db } from '#server/database/tables.ts'
import { readPublished } from '#server/features/site-content/site-content.queries.ts'
import { serve } from '#server/http/serve.ts'
import { stepsDone } from './first-steps.rules.ts'

type Parts = {
  db: Db
  hasMail: boolean
  /** Until then the site is a demo. */
  hasOwner(): Promise<boolean>
  countProjects(): Promise<number>
  isStored(hash: string): Promise<boolean>
  listBackups(): Promise<{ filename: string }[]>
  demoProjects: {
    count(): Promise<number>
    /** The ids of those that went into the trash. */
    remove(): Promise<string[]>
    bringBack(ids: readonly string[]): Promise<number>
  }
}

export function firstStepRoutes(app: FastifyInstance, parts: Parts) {
  const { db, hasMail, hasOwner, demoProjects } = parts

  async function read(): Promise<FirstSteps> {
    const { firstStepsDone: putAway, backupTakenAt } = await readMarks(db)
    if (putAway || !(await hasOwner())) return { putAway, steps: null }
    const [{ fields }, projects, ofDemo, backups] = await Promise.all([
      readPublished(db),
      parts.countProjects(),
      demoProjects.count(),
      parts.listBackups(),
    ])
    const names = backups.map(({ filename }) => filename)
    const hasHeroPhoto = await parts.isStored(storedHash(fields['photos.hero.image'] ?? '') ?? '')
    const done = stepsDone({ fields, hasHeroPhoto, projects, demoProjects: ofDemo, hasMail, backups: names, backupTakenAt })
    return { putAway, steps: { done, demoProjects: ofDemo } }
  }

  serve(app, readFirstSteps, read)

  serve(app, putFirstStepsAway, async ({ body: { putAway } }) => {
    await markPutAway(db, putAway)
    return read()
  })

  serve(app, removeDemoProjects, async () => ({ removed: await demoProjects.remove() }))

  serve(app, bringBackDemoProjects, async ({ body: { ids } }) => ({ broughtBack: await demoProjects.bringBack(ids) }))
}

export function readMarks(db: Db) {
  return db.selectFrom('site').select(['firstStepsDone', 'backupTakenAt']).executeTakeFirstOrThrow()
}

export async function markPutAway(db: Db, firstStepsDone: boolean) {
  await db.updateTable('site').set({ firstStepsDone }).execute()
}

/** A complete backup has left the machine. */
export async function markBackupTaken(db: Db, backupTakenAt: string) {
  await db.updateTable('site').set({ backupTakenAt }).execute()
}
