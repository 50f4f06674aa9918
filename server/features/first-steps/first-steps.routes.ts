import type { FastifyInstance } from 'fastify'
import { storedHash } from '#contract/first-visit.ts'
import {
  bringBackDemoProjects,
  type FirstSteps,
  putFirstStepsAway,
  readFirstSteps,
  removeDemoProjects,
} from '#contract/overview.ts'
import { listStoredBackups } from '#server/backup/backup-names.ts'
import { noteActivity } from '#server/features/activity/activity.queries.ts'
import { findImage } from '#server/features/images/images.queries.ts'
import { countProjects } from '#server/features/projects/projects.queries.ts'
import { takeOutOfTrash } from '#server/features/projects/trash.queries.ts'
import { countUnchanged, putUnchangedIntoTrash } from '#server/features/projects/unchanged.queries.ts'
import { isMailTested } from '#server/features/settings/settings.queries.ts'
import { readPublished } from '#server/features/site-content/site-content.queries.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import { stepsDone } from './first-steps.rules.ts'

type Parts = Pick<Site, 'config' | 'database' | 'storage' | 'clock' | 'demoAdminActive'>

export function firstStepRoutes(app: FastifyInstance, { config, database, storage, clock, demoAdminActive }: Parts) {
  const { db } = database
  async function read(): Promise<FirstSteps> {
    const {
      firstStepsDone: putAway,
      opened,
      backupTakenAt,
    } = await db.selectFrom('site').select(['firstStepsDone', 'opened', 'backupTakenAt']).executeTakeFirstOrThrow()
    if (putAway || (await demoAdminActive())) return { putAway, opened, steps: null }
    const [{ fields }, { all: projects }, demoProjects, stored] = await Promise.all([
      readPublished(db),
      countProjects(db, { drafts: true }),
      countUnchanged(db, await loadDemoProjects()),
      listStoredBackups(storage, clock.now()),
    ])
    const hasHeroPhoto = (await findImage(db, storedHash(fields['photos.hero.image'] ?? '') ?? '')) !== undefined
    const backups = stored.map(({ filename }) => filename)
    const hasMail = await isMailTested(db, config)
    const done = stepsDone({ fields, opened, hasHeroPhoto, projects, demoProjects, hasMail, backups, backupTakenAt })
    return { putAway, opened, steps: { done, demoProjects } }
  }

  serve(app, readFirstSteps, read)

  serve(app, putFirstStepsAway, async ({ body: { putAway } }) => {
    await db.updateTable('site').set({ firstStepsDone: putAway }).execute()
    return read()
  })

  serve(app, removeDemoProjects, async ({ admin }) => {
    const originals = await loadDemoProjects()
    const removed = await db.transaction().execute(async (tx) => {
      const ids = await putUnchangedIntoTrash(tx, originals, clock.now().toISOString())
      if (ids.length > 0) await noteActivity(tx, admin, { kind: 'demo_projects_deleted', count: ids.length }, clock.now())
      return ids
    })
    return { removed }
  })

  serve(app, bringBackDemoProjects, async ({ body: { ids }, admin }) => {
    const broughtBack = await db.transaction().execute(async (tx) => {
      const count = await takeOutOfTrash(tx, ids)
      if (count > 0) await noteActivity(tx, admin, { kind: 'demo_projects_restored', count }, clock.now())
      return count
    })
    return { broughtBack }
  })
}

/** Loaded only where first steps are shown: most starts do without them. */
async function loadDemoProjects() {
  return (await import('#demo/projects.ts')).demoProjects
}
