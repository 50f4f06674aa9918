import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { findProject } from '#contract/project-in-list.ts'
import { createProject, deleteProject, searchProjects, updateProject } from '#contract/projects.admin.ts'
import { countProjects, listProjects } from '#contract/projects.ts'
import type { Clock } from '#server/clock.ts'
import { comesBehind, slice } from '#server/database/slices.ts'
import type { Db } from '#server/database/tables.ts'
import { sendAnswer } from '#server/http/answer.ts'
import { compress, wholeAnswerTo } from '#server/http/compressed.ts'
import { sendList } from '#server/http/json-list.ts'
import { Problem } from '#server/http/problem.ts'
import type { Published } from '#server/http/published.ts'
import { serve } from '#server/http/serve.ts'
import * as queries from './projects.queries.ts'
import { searchFor } from './projects.rules.ts'

type Parts = { db: Db; clock: Clock; published: Published }

/** More than is kept ready at once. */
class LongList extends Error {}

export function projectRoutes(app: FastifyInstance, { db, clock, published }: Parts) {
  serve(app, listProjects, async ({ query: { category, featured, limit, after }, request, reply }) => {
    const wanted = { category, featured: featured === 'true' }
    const readPage = async () => {
      const page = await queries.listProjects(db, wanted, { limit: limit ?? slice, after })
      if (!limit && page.length === slice) throw new LongList()
      return page
    }
    try {
      // Of these there are endless ones: kept, they would push out what visitors read.
      if (after) {
        const page = await compress(asJson(await readPage()), 'fast')
        return sendAnswer(reply, wholeAnswerTo(request.headers, page))
      }
      const key = `projects ${JSON.stringify({ ...wanted, limit })}`
      return await published.send(request, reply, key, async () => asJson(await readPage()))
    } catch (error) {
      if (error instanceof LongList) return sendList(reply, queries.eachProject(db, wanted, after))
      throw error
    }
  })

  serve(app, countProjects, async ({ request, reply }) =>
    published.send(request, reply, 'project counts', async () => {
      const { featured: _featured, ...counts } = await queries.countProjects(db)
      return asJson(counts)
    }),
  )

  serve(app, findProject, async ({ params: { id }, query: { category } }) => {
    const found = await queries.findInList(db, id, category)
    if (!found) throw new Problem('project_not_found')
    return found
  })

  serve(app, searchProjects, async ({ query: { search = '', category, limit = slice, after } }) => {
    if (search.trim() === '') {
      const [projects, counts] = await Promise.all([
        queries.listProjects(db, { category }, { limit, after }),
        queries.countProjects(db),
      ])
      return { projects, count: counts[category ?? 'all'] }
    }
    const isWanted = searchFor(search)
    const ids: string[] = []
    let count = 0
    for await (const projects of queries.eachSearched(db, { category })) {
      for (const project of projects.filter(isWanted)) {
        count += 1
        if (ids.length < limit && (!after || comesBehind(project, after))) ids.push(project.id)
      }
    }
    return { projects: await queries.findProjects(db, ids), count }
  })

  serve(app, createProject, async ({ body }) => {
    const id = randomUUID()
    await queries.insertProject(db, { ...body, id, createdAt: clock.now().toISOString() })
    return existing(id)
  })

  serve(app, updateProject, async ({ params: { id }, body }) => {
    const refused = await queries.changeProject(db, id, body)
    if (refused) throw new Problem(refused)
    return existing(id)
  })

  serve(app, deleteProject, async ({ params: { id } }) => {
    if (!(await queries.removeProject(db, id))) throw new Problem('project_not_found')
    return { message: 'Project deleted successfully' }
  })

  async function existing(id: string) {
    const project = await queries.findProject(db, id)
    if (!project) throw new Problem('project_not_found')
    return project
  }
}

function asJson(value: unknown) {
  return { body: JSON.stringify(value), contentType: 'application/json; charset=utf-8' }
}
