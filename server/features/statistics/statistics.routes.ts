import type { FastifyInstance } from 'fastify'
import { devices, type ModelFigures, mostShown, readStatistics, switchStatistics } from '#contract/statistics.ts'
import { dayIn, daysAfter } from '#server/clock.ts'
import { noteActivity } from '#server/features/activity/activity.queries.ts'
import { findProjects } from '#server/features/projects/projects.queries.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import * as queries from './statistics.queries.ts'
import { pointsOf } from './statistics.rules.ts'

export function statisticsRoutes(app: FastifyInstance, { config, database, clock, visits }: Site) {
  const { db } = database

  serve(app, readStatistics, async ({ query: { period } }) => {
    await visits.write()
    const today = dayIn(config.timeZone, clock.now())
    const points = pointsOf(period, today)
    const from = points[0]?.from ?? today
    const since = await queries.firstDay(db)
    const byDay = await queries.visitsByDay(db, points[0]?.before?.from ?? from, today)
    /** Null where nothing was counted yet. */
    const visitsOf = (span: { from: string; until: string } | undefined) => {
      if (!span || !since || span.until <= since) return null
      let sum = 0
      for (let day = span.from; day < span.until; day = daysAfter(day, 1)) sum += byDay.get(day) ?? 0
      return sum
    }
    const shown = points.map((point) => ({ from: point.from, visits: visitsOf(point), before: visitsOf(point.before) }))
    const befores = shown.flatMap(({ before }) => before ?? [])
    const sums = await queries.namedSums(db, from, today)
    const named = (kind: 'host' | 'language') =>
      sums(kind)
        .slice(0, mostShown)
        .map(({ name, count }) => ({ name, visits: count }))
    const firstOfWeek = daysAfter(today, -6)
    return {
      counting: await queries.isCounting(db),
      since,
      points: shown,
      visits: total(shown.map(({ visits: each }) => each ?? 0)),
      before: befores.length === shown.length ? total(befores) : null,
      opened: await modelsBy('looks', sums),
      asked: await modelsBy('messages', sums),
      hosts: named('host'),
      languages: named('language'),
      devices: devices.map((name) => ({ name, visits: sums('device').find((each) => each.name === name)?.count ?? 0 })),
      week: {
        visits: visitsOf({ from: firstOfWeek, until: daysAfter(today, 1) }) ?? 0,
        model: (await modelsBy('looks', await queries.namedSums(db, firstOfWeek, today), 1))[0] ?? null,
      },
    }
  })

  serve(app, switchStatistics, async ({ body: { counting }, admin }) => {
    const kind = counting ? 'statistics_on' : 'statistics_off'
    await queries.switchCounting(database, counting, (tx) => noteActivity(tx, admin, { kind }, clock.now()))
    visits.switched(counting)
    return { counting }
  })

  /** The models with the largest figures, of those that are there. */
  async function modelsBy(kind: 'looks' | 'messages', sums: Sums, most = mostShown): Promise<ModelFigures[]> {
    // Some may have been deleted since.
    const ids = sums(kind).slice(0, 5 * mostShown)
    const projects = await findProjects(
      db,
      ids.map(({ name }) => name),
    )
    const countOf = (of: typeof kind, id: string) => sums(of).find(({ name }) => name === id)?.count ?? 0
    return projects.slice(0, most).map((project) => ({
      project,
      looks: countOf('looks', project.id),
      messages: countOf('messages', project.id),
    }))
  }
}

type Sums = Awaited<ReturnType<typeof queries.namedSums>>

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
