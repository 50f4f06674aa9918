import { randomInt } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Language } from '#contract/languages.ts'
import type { Device, SumKind } from '#contract/statistics.ts'
import { minute, withTimeout } from '#server/clock.ts'
import { visitorAddress } from '#server/http/own-address.ts'
import type { SiteParts } from '#server/site.ts'
import { addSums } from './statistics.queries.ts'
import {
  addAll,
  addTo,
  type Counted,
  dayAt,
  deviceOf,
  hashOf,
  hostOf,
  longestAgent,
  mayBeCounted,
  opensModel,
} from './statistics.rules.ts'

type Parts = Pick<SiteParts, 'config' | 'database' | 'clock' | 'log'>

/** Of a day: beyond that only looks are counted. Each takes some 40 bytes. */
const mostVisitors = 50_000
/** Different browsers and versions that are remembered. */
const mostAgents = 1_000
/** A database that does not answer must not keep the process from ending. */
const stopTimeout = 3_000

type Browser = { device: Device; seed: [number, number] }

/** The salt goes with the day: of those who came yesterday nothing can be found out. */
const newDay = (now: Date, timeZone: string) => ({
  timeZone,
  ...dayAt(now, timeZone),
  salt: [randomInt(2 ** 32), randomInt(2 ** 32)] as const,
  /** False for programs that are no browsers. */
  agents: new LRUCache<string, Browser | false>({ max: mostAgents }),
  visitors: new Set<number>(),
})

/**
 * Counts visits in memory, and adds the sums to those of the database once a minute and at the end. What the requests of a visitor
 * are recognised by stays here, until midnight.
 */
export function openVisits(app: FastifyInstance, { config, database, clock, log }: Parts) {
  let today = newDay(clock.now(), config.timeZone)
  /** By day: at midnight those of the day before are not written yet. */
  let sums = new Map<string, Counted>()
  let isOn = true
  let hasFailed = false
  let writing = Promise.resolve()

  function add(kind: SumKind, name: string) {
    const ofDay = sums.get(today.name) ?? new Map()
    if (ofDay.size === 0) sums.set(today.name, ofDay)
    addTo(ofDay, kind, name)
  }

  function keepDay() {
    const now = clock.now().getTime()
    if (now < today.begins || now >= today.ends || today.timeZone !== config.timeZone)
      today = newDay(new Date(now), config.timeZone)
  }

  /** The browser of a request that counts. */
  function browserOf({ headers }: IncomingMessage) {
    if (!isOn || !mayBeCounted(headers)) return false
    keepDay()
    const agent = headers['user-agent'] ?? ''
    const known = today.agents.get(agent)
    if (known !== undefined) return known
    const device = deviceOf(agent)
    const browser = device !== undefined && { device, seed: hashOf(agent, today.salt) }
    // Longer ones would fill the memory.
    if (agent.length <= longestAgent) today.agents.set(agent, browser)
    return browser
  }

  const ownHosts = ({ headers }: IncomingMessage) => [headers.host, config.publicUrl?.replace(/^https?:\/\//, '')]

  async function write() {
    // The salt goes at midnight, also when no visitor comes.
    keepDay()
    const batch = sums
    // While nothing is counted, another process may have turned it on.
    if (batch.size === 0 && isOn) return
    sums = new Map()
    try {
      isOn = await addSums(database, batch)
      hasFailed = false
    } catch (error) {
      // They are tried again; what was counted meanwhile comes on top.
      for (const [day, counted] of sums) {
        const before = batch.get(day) ?? new Map()
        addAll(before, counted)
        batch.set(day, before)
      }
      sums = batch
      if (!hasFailed) log.warn({ err: error }, 'the figures could not be written, and are kept in memory')
      hasFailed = true
    }
  }

  const visits = {
    /** For pages in that language, and with that model open. Made once for each address, because it is called with every request. */
    ofPage(language: Language, project: string | undefined) {
      return (request: IncomingMessage) => {
        const browser = request.method === 'GET' && browserOf(request)
        if (!browser) return
        const [low, high] = hashOf(visitorAddress(request, config.trustProxy), browser.seed)
        const visitor = (low >>> 0) * 2 ** 21 + (high >>> 11)
        if (!today.visitors.has(visitor) && today.visitors.size < mostVisitors) {
          today.visitors.add(visitor)
          add('visits', '')
          add('language', language)
          add('device', browser.device)
          const from = hostOf(request.headers.referer, ownHosts(request))
          if (from) add('host', from)
        }
        if (project) add('looks', project)
      }
    },
    /** A call that reads a model, by the name it was called by. */
    ofModel(request: IncomingMessage, name: string, project: string) {
      if (opensModel(request.headers.referer, ownHosts(request), name) && browserOf(request)) add('looks', project)
    },
    /** A message that was stored, about that model or none. */
    ofMessage(request: IncomingMessage, project: string | undefined) {
      if (browserOf(request)) add('messages', project ?? '')
    },
    /** Adds what was counted to the sums of the database. Never fails: what could not be written is kept. */
    write() {
      writing = writing.then(write)
      return writing
    },
    /** After counting was switched; other processes read it when they write. */
    switched(on: boolean) {
      isOn = on
      sums = new Map()
      today = newDay(clock.now(), config.timeZone)
    },
  }
  const timer = setInterval(visits.write, minute).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await withTimeout(stopTimeout, visits.write(), undefined)
  })
  return visits
}

export type Visits = ReturnType<typeof openVisits>
