import { z } from 'zod/mini'
import { endpoint, type ReplyOf } from './endpoint.ts'
import { project } from './projects.ts'

/** Days on which the site ran. */
export const countedDays = 400

/**
 * What is summed by day: visits, of each the language, the device and the site that led here; how often a model was opened, and
 * how many messages were about it.
 */
const sumKinds = ['visits', 'language', 'device', 'host', 'looks', 'messages'] as const
export type SumKind = (typeof sumKinds)[number]

/** A row of the table, as complete backups carry it too. */
export const sum = z.strictObject({
  day: z.iso.date(),
  kind: z.enum(sumKinds),
  /** A language, a device, a host or the id of a model; empty for visits, for messages about none, and for what is beyond the limits. */
  name: z.string().check(z.regex(/^[\w.-]{0,100}$/)),
  count: z.int().check(z.gte(1), z.lte(1_000_000_000)),
})
export type Sum = z.infer<typeof sum>

/** There is one sum of each. */
export const keyOf = ({ day, kind, name }: Sum) => `${day} ${kind} ${name}`

/** What the figures are of: each of the last thirty days, or each of the last twelve months. */
export const periods = ['days', 'months'] as const
export type Period = (typeof periods)[number]

export const devices = ['phone', 'tablet', 'desktop'] as const
export type Device = (typeof devices)[number]

/** By the maker's calendar: `2027-03-01`. */
const day = z.iso.date()

const model = z.strictObject({ project, looks: z.int(), messages: z.int() })
export type ModelFigures = z.infer<typeof model>

const named = z.array(z.strictObject({ name: z.string(), visits: z.int() }))

/** Of each kind, the largest ones. */
export const mostShown = 6

const figures = z.strictObject({
  /** False while nothing is counted. */
  counting: z.boolean(),
  /** The first day of which there is a figure; null when there is none yet. */
  since: z.nullable(day),
  /** Days or months in order. Null is what was before the first figure; `before` is the same part of the time before that. */
  points: z.array(z.strictObject({ from: day, visits: z.nullable(z.int()), before: z.nullable(z.int()) })),
  visits: z.int(),
  /** Null where that time was not counted from its beginning. */
  before: z.nullable(z.int()),
  opened: z.array(model),
  asked: z.array(model),
  /** The sites that visitors came from; of the other visits that is not known. */
  hosts: named,
  languages: named,
  devices: z.array(z.strictObject({ name: z.enum(devices), visits: z.int() })),
  /** The last seven days, and the model that was opened most in them. */
  week: z.strictObject({ visits: z.int(), model: z.nullable(model) }),
})

const statisticsPath = '/api/admin/statistics'

export const readStatistics = endpoint({
  method: 'GET',
  path: statisticsPath,
  access: 'admin',
  summary: `Visits, opened models and messages as sums: of thirty days or twelve months, within the last ${countedDays} days.`,
  query: z.strictObject({ period: z.enum(periods) }),
  reply: figures,
})
export type Figures = ReplyOf<typeof readStatistics>

export const switchStatistics = endpoint({
  method: 'PUT',
  path: statisticsPath,
  access: 'confirmed',
  summary: 'Turns counting on, or off, which deletes all sums.',
  body: z.strictObject({ counting: z.boolean() }),
  reply: z.strictObject({ counting: z.boolean() }),
})
