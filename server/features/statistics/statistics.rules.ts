import type { IncomingHttpHeaders } from 'node:http'
import type { Device, Period, SumKind } from '#contract/statistics.ts'
import { parseUrl } from '#contract/web-address.ts'
import { dayIn, daysAfter, momentOf } from '#server/clock.ts'

/** How many names of a kind a day has, strangers may send any number: the others are summed under an empty name. */
const mostNames: Record<SumKind, number> = {
  visits: 1,
  language: 20,
  device: 3,
  host: 30,
  looks: 100,
  messages: 100,
}

export type Counted = Map<SumKind, Map<string, number>>

/** Adds to a name; beyond the limit to the empty one. */
export function addTo(counted: Counted, kind: SumKind, name: string, count = 1) {
  const names = counted.get(kind) ?? new Map<string, number>()
  if (names.size === 0) counted.set(kind, names)
  const hasRoom = names.size - Number(names.has('')) < mostNames[kind]
  const key = hasRoom || names.has(name) ? name : ''
  names.set(key, (names.get(key) ?? 0) + count)
}

export function addAll(counted: Counted, more: Counted) {
  for (const [kind, names] of more) for (const [name, count] of names) addTo(counted, kind, name, count)
}

/** Longer ones are no browser's. */
export const longestAgent = 500

/** As programs call themselves that look at pages by themselves. "Cubot" is a telephone. */
const robots =
  /(?<!cu)bot|crawl|spider|slurp|scrap|headless|lighthouse|preview|externalhit|inspection|mediapartners|google(other|-)|monitor|uptime|pingdom|validator|archiver|phantomjs|selenium|python|curl|wget|\+https?:/i

/** The kind of device; undefined for a program that is no browser, by its own name. All browsers begin with one of two words. */
export function deviceOf(agent: string): Device | undefined {
  if (agent.length > longestAgent || !/^(Mozilla|Opera)\//.test(agent) || robots.test(agent)) return undefined
  if (/iPad|Tablet(?! PC)|Silk|PlayBook|Android(?!.*Mobi)/i.test(agent)) return 'tablet'
  return /Mobi|iPhone|iPod|Android|Opera Mini/i.test(agent) ? 'phone' : 'desktop'
}

/** Not of makers who are signed in, not of those who ask not to be counted, and not of what a browser loads in advance. */
export function mayBeCounted(headers: IncomingHttpHeaders) {
  if (headers.dnt === '1' || headers['sec-gpc'] === '1') return false
  if (headers.cookie?.includes('session=')) return false
  return !(headers['sec-purpose'] || headers.purpose || headers['x-purpose'] || headers['x-moz'])
}

const longestReferer = 2_000
const host = /^[a-z\d-]{1,63}(\.[a-z\d-]{1,63})*\.[a-z][a-z\d-]{1,62}$/

/** The hosts by which the site itself is called. */
type Own = readonly (string | undefined)[]

/** The site that led here, from a header that may contain anything; undefined for none, for one without a name and for `own`. */
export function hostOf(referer: string | undefined, own: Own) {
  if (!referer || referer.length > longestReferer || !/^https?:\/\//i.test(referer)) return undefined
  const name = nameOf(referer)
  return name && name.length <= 100 && host.test(name) && !isOwn(name, own) ? name : undefined
}

const isOwn = (name: string | undefined, own: Own) => own.some((each) => each && nameOf(`http://${each}`) === name)

/** Without the beginnings that only tell a telephone from a desktop. */
function nameOf(address: string) {
  return parseUrl(address)?.hostname.replace(/^(www|m|lm?)\.(?=.*\.)/, '')
}

/**
 * Whether a call for a model opens it. The page reads a model ahead when a visitor only points at its card; once it is open, the
 * address of the page names it.
 */
export function opensModel(referer: string | undefined, own: Own, name: string) {
  if (!referer || !isOwn(nameOf(referer), own)) return true
  return new URL(referer).searchParams.get('project')?.toLowerCase() === name.toLowerCase()
}

/** 32 bits twice, with a seed: cryptographic hashes take longer than the rest of a count, and this one leaves no process. */
export function hashOf(text: string, [low, high]: readonly [number, number]): [number, number] {
  let [a, b] = [low, high]
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    a = Math.imul(a ^ unit, 0x9e3779b1) ^ (a >>> 15)
    b = Math.imul(b ^ unit, 0x85ebca77) ^ (b >>> 13)
  }
  return [a, b]
}

/** The day of a moment by the clock of a time zone, from midnight to midnight: 23 or 25 hours when clocks change. */
export function dayAt(now: Date, timeZone: string) {
  const name = dayIn(timeZone, now)
  const midnight = (day: string) => momentOf(day, '00:00', timeZone).getTime()
  return { name, begins: midnight(name), ends: midnight(daysAfter(name, 1)) }
}

type Span = { from: string; until: string }
type Point = Span & { before: Span | undefined }

/** The days or months of a period, each until before `until`, with the same part of the period before it. */
export function pointsOf(period: Period, today: string): Point[] {
  if (period === 'months') {
    return Array.from({ length: 12 }, (_, index) => {
      const from = monthAfter(today, index - 11)
      // Twelve months before that are not kept.
      return { from, until: monthAfter(from, 1), before: undefined }
    })
  }
  return Array.from({ length: 30 }, (_, index) => {
    const from = daysAfter(today, index - 29)
    return { ...dayFrom(from), before: dayFrom(daysAfter(from, -30)) }
  })
}

const dayFrom = (from: string): Span => ({ from, until: daysAfter(from, 1) })

/** The first day of a month. */
function monthAfter(day: string, months: number) {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00.000Z`)
  at.setUTCMonth(at.getUTCMonth() + months)
  return at.toISOString().slice(0, 10)
}
