import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { ActivityKind } from '#contract/activity.ts'
import { findProject } from '#contract/project-in-list.ts'
import {
  createProject,
  deleteProject,
  emptyTrash,
  listTrash,
  moveProject,
  removeDeleted,
  restoreProject,
  searchProjects,
  updateProject,
} from '#contract/projects.admin.ts'
import { countProjects, listProjects } from '#contract/projects.ts'
import { comesBehind, slice } from '#server/database/slices.ts'
import type { Db } from '#server/database/tables.ts'
import { type Doer, noteActivity } from '#server/features/activity/activity.queries.ts'
import { compress, sendAnswer, wholeAnswerTo } from '#server/http/answers.ts'
import { Problem } from '#server/http/problem.ts'
import { sendList, serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import * as order from './order.queries.ts'
import * as queries from './projects.queries.ts'
import { searchFor } from './projects.rules.ts'
import * as trash from './trash.queries.ts'

type Parts = Pick<Site, 'database' | 'clock' | 'published' | 'visits'>

/** The list is longer than one cached answer. */
class LongList extends Error {}

export function projectRoutes(app: FastifyInstance, { database, clock, published, visits }: Parts) {
  const { db } = database

  serve(app, listProjects, async ({ query: { category, featured, limit, ...query }, request, reply }) => {
    const after = await cursorAfter(query.after)
    const filter = { category, featured: featured === 'true' }
    const isGallery = featured === 'last' && limit !== undefined
    const readPage = async () => {
      if (isGallery) return queries.listGallery(db, category, { limit, after })
      const page = await queries.listProjects(db, filter, { limit: limit ?? slice, after })
      if (!limit && page.length === slice) throw new LongList()
      return page
    }
    try {
      // Not cached: cursors are unlimited and would evict the pages visitors read.
      if (after) {
        const page = await compress(asJson(await readPage()), 'fast')
        return sendAnswer(reply, wholeAnswerTo(request.headers, page))
      }
      const key = `projects ${JSON.stringify({ ...filter, isGallery, limit })}`
      return await published.send(request, reply, key, async () => asJson(await readPage()))
    } catch (error) {
      if (error instanceof LongList) return sendList(reply, queries.eachProject(db, filter, after))
      throw error
    }
  })

  serve(app, countProjects, async ({ request, reply }) =>
    published.send(request, reply, 'project counts', async () => {
      const { featured: _featured, drafts: _drafts, ...counts } = await queries.countProjects(db, {})
      return asJson(counts)
    }),
  )

  serve(app, findProject, async ({ params: { id: name }, query: { category }, request, reply }) => {
    const named = await queries.findBySlugOrId(db, name)
    const project = named && (await queries.findInList(db, named.id, category))
    if (!project) throw new Problem('project_not_found')
    if (project.project.draft) {
      if (!(await app.sessions.find(request, reply))) throw new Problem('project_not_found')
      reply.header('cache-control', 'no-store')
    } else visits.ofModel(request.raw, name, project.project.id)
    return project
  })

  serve(app, searchProjects, async ({ query: { search = '', category, draft, limit = slice, ...query } }) => {
    const after = await cursorAfter(query.after)
    const filter: queries.Filter = { category, drafts: draft ? 'only' : true }
    const frontPage = (await queries.listFeatured(db)).map(({ id }) => id)
    if (search.trim() === '') {
      const [projects, counts] = await Promise.all([
        queries.listProjects(db, filter, { limit, after }),
        queries.countProjects(db, filter),
      ])
      return { projects, count: counts.all, frontPage }
    }
    const isWanted = searchFor(search)
    const ids: string[] = []
    let count = 0
    for await (const projects of queries.eachSearched(db, filter)) {
      for (const project of projects.filter(isWanted)) {
        count += 1
        if (ids.length < limit && (!after || comesBehind('rank', project, after))) ids.push(project.id)
      }
    }
    return { projects: await queries.findProjects(db, ids), count, frontPage }
  })

  serve(app, createProject, async ({ body, query, admin }) => {
    const id = randomUUID()
    return changed(id, query, async (tx) => {
      await queries.insertFirst(tx, { ...body, id, createdAt: clock.now().toISOString() })
      await queries.noteProject(tx, admin, { kind: 'project_created', id }, clock.now())
    })
  })

  serve(app, updateProject, async ({ params: { id }, body, query, admin }) =>
    changed(id, query, async (tx) => {
      const isChanged = await queries.changeProject(tx, id, body)
      if (isChanged) await queries.noteProject(tx, admin, { kind: 'project_changed', id }, clock.now())
    }),
  )

  serve(app, moveProject, async ({ params: { id }, body }) => {
    const isMoved = await database.exclusively(order.orderLock, (tx) => order.moveProject(tx, id, body))
    if (!isMoved) throw new Problem('project_not_found')
    return existing(id)
  })

  serve(app, deleteProject, async ({ params: { id }, admin }) => {
    await noted(admin, 'project_deleted', id, (tx) => trash.putIntoTrash(tx, id, clock.now().toISOString()))
    return { message: 'Project deleted successfully' }
  })

  serve(app, listTrash, async ({ query: { limit = slice, after } }) => {
    const [projects, count] = await Promise.all([trash.listTrash(db, { limit, after }), trash.countTrash(db)])
    return { projects, count }
  })

  serve(app, restoreProject, async ({ params: { id }, admin }) => {
    await noted(admin, 'project_restored', id, (tx) => trash.takeOutOfTrash(tx, [id]))
    return existing(id)
  })

  serve(app, removeDeleted, async ({ params: { id }, admin }) => {
    await noted(admin, 'project_removed', id, (tx) => trash.removeFromTrash(tx, id, clock.now().toISOString()))
    return { message: 'Project removed for good' }
  })

  serve(app, emptyTrash, async ({ query: { upTo }, admin }) => {
    const removed = await db.transaction().execute(async (tx) => {
      const count = await trash.emptyTrash(tx, clock.now().toISOString(), upTo?.deletedAt)
      if (count > 0) await noteActivity(tx, admin, { kind: 'trash_emptied', count }, clock.now())
      return count
    })
    return { message: 'Trash emptied', removed }
  })

  /** The entry first: afterwards the title may be gone. Without the project neither is kept. */
  async function noted(doer: Doer, kind: ActivityKind, id: string, change: (tx: Db) => Promise<boolean | number>) {
    await db.transaction().execute(async (tx) => {
      await queries.noteProject(tx, doer, { kind, id }, clock.now())
      if (!(await change(tx))) throw new Problem('project_not_found')
    })
  }

  async function cursorAfter(after: Parameters<typeof queries.placeOf>[1]) {
    const place = await queries.placeOf(db, after)
    if (after && !place) throw new Problem('project_not_found')
    return place
  }

  async function changed(id: string, query: { with?: 'frontPage' | undefined }, change: (tx: Db) => Promise<void>) {
    const before = query.with ? await queries.listFeatured(db) : []
    await db.transaction().execute(change)
    if (!query.with) return existing(id)
    const frontPage = { shown: await queries.listFeaturedTitles(db), before: before.map((project) => project.id) }
    return { ...(await existing(id)), frontPage }
  }

  async function existing(id: string) {
    const project = await queries.findProject(db, id)
    if (!project) throw new Problem('project_not_found')
    return project
  }
}

function asJson(value: unknown) {
  return { body: JSON.stringify(value), contentType: 'application/json; charset=utf-8' }
}
