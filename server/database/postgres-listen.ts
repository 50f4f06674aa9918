import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { connectionTo } from './postgres.ts'

/** How often nothing is taken for granted while nobody listens. */
const doubtEvery = 500
const firstRetry = 250
const longestRetry = 5_000
/** A line that was cut without a word is found out by asking. A busy server may take a while to answer. */
const askEvery = 1_000
const answerWithin = 10_000

export type Listener = {
  heard(): void
  /** The server does not answer any more, though nobody has closed the line. */
  onSilence?: (() => void) | undefined
}

/**
 * Hears what other processes announce. A connection that breaks is made anew. While there is none anything may have been
 * said, so `heard` is called twice a second, and once more when there is one again.
 */
export function listenToPostgres(url: string, channel: string, { heard, onSilence }: Listener): { stop(): Promise<void> } {
  let client: pg.Client | undefined
  let doubts: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined
  let failures = 0
  let stopped = false

  async function connect() {
    const next = newClient()
    if (!next) return tryAgain()
    client = next
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', heard)
    try {
      await next.connect()
    } catch (error) {
      lost(next)
      if (error instanceof Error && error.message === 'timeout expired') onSilence?.()
      return
    }
    if (!(await answers(next, `listen ${channel}`))) return
    failures = 0
    clearInterval(doubts)
    doubts = undefined
    heard()
    void keepAsking(next)
  }

  /** None when the certificate named in the address cannot be read at the moment. */
  function newClient() {
    try {
      return new pg.Client(connectionTo(url, 'vitrina listening'))
    } catch {
      return undefined
    }
  }

  async function keepAsking(which: pg.Client) {
    do await wait(askEvery, undefined, { ref: false })
    while (client === which && !stopped && (await answers(which, 'select 1')))
  }

  /** A server that lets us wait too long is given up, as is a line that breaks. */
  async function answers(which: pg.Client, statement: string) {
    const asked = which.query(statement).then(
      () => 'answered',
      () => 'lost',
    )
    const outcome = await Promise.race([asked, wait(answerWithin, 'silent', { ref: false })])
    if (client !== which || outcome === 'answered') return client === which
    lost(which)
    if (outcome === 'silent') onSilence?.()
    return false
  }

  function doubt() {
    doubts ??= setInterval(heard, doubtEvery).unref()
  }

  function lost(which: pg.Client) {
    if (stopped || client !== which) return
    client = undefined
    which.connection.stream.destroy()
    doubt()
    tryAgain()
  }

  function tryAgain() {
    const pause = Math.min(firstRetry * 2 ** failures, longestRetry)
    failures += 1
    // A little apart, so that many processes do not all knock at the same moment.
    retry = setTimeout(connect, pause * (0.75 + Math.random() / 2)).unref()
  }

  doubt()
  const first = connect()
  return {
    async stop() {
      stopped = true
      clearTimeout(retry)
      clearInterval(doubts)
      await first
      await client?.end()
    },
  }
}
