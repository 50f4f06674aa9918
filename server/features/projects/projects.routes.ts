import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createProject, deleteProject, listProjects, updateProject } from '#contract/projects.ts'
import type { Clock } from '#server/clock.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { type Published, sendPublished } from '#server/http/published.ts'
import { serve } from '#server/http/serve.ts'
import * as queries from './projects.queries.ts'

type Parts = { db: Db; clock: Clock; published: Published }

export function projectRoutes(app: FastifyInstance, { db, clock, published }: Parts) {
  serve(app, listProjects, async ({ query: { category }, request, reply }) => {
    const prepared = await published.get(`projects ${category ?? 'all'}`, async () => ({
      body: JSON.stringify(await queries.listProjects(db, category)),
      contentType: 'application/json; charset=utf-8',
    }))
    return sendPublished(request, reply, prepared)
  })

  serve(app, createProject, async ({ body }) => {
    const id = randomUUID()
    await queries.insertProject(db, { ...body, id, createdAt: clock.now().toISOString() })
    published.contentChanged()
    return existing(id)
  })

  serve(app, updateProject, async ({ params: { id }, body }) => {
    const refused = await queries.changeProject(db, id, body)
    if (refused) throw new Problem(refused)
    published.contentChanged()
    return existing(id)
  })

  serve(app, deleteProject, async ({ params: { id } }) => {
    if (!(await queries.removeProject(db, id))) throw new Problem('project_not_found')
    published.contentChanged()
    return { message: 'Project deleted successfully' }
  })

  async function existing(id: string) {
    const project = await queries.findProject(db, id)
    if (!project) throw new Problem('project_not_found')
    return project
  }
}
