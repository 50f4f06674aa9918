import { scheduler } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { MailAddress } from '#contract/mails.ts'
import { type Clock, isFuture } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import type { MailRow } from '#server/database/tables.ts'
import type { SmtpServer } from './mail-config.rules.ts'
import { claim, listDue, noteFailure, noteSent, putBack } from './outbox.queries.ts'
import { attemptTimeout, mostAttempts, type Verdict, verdictOn } from './retries.rules.ts'
import { createTransport, loadNodemailer, messageIdOf, type Transport } from './transport.ts'

export type MailSettings = {
  server: SmtpServer
  from: MailAddress
  /** The maker's addresses. */
  to: readonly MailAddress[]
}

export type Mailer = {
  /** Sends what is in the outbox now, not only with the next round. Does nothing before the start and after the stop. */
  wake(): void
  start(): void
  /** Ends what is under way, or puts it back. */
  stop(): Promise<void>
}

type Parts = {
  config: Pick<Config, 'mail'>
  database: Pick<Database, 'db'>
  clock: Clock
  log: FastifyBaseLogger
  /** How long an attempt, and one that is under way while stopping, may take. */
  timeouts?: { attempt: number; stop: number }
}

type Sender = Pick<MailSettings, 'from'> & { transport: Transport }

/** Less than main.ts waits for the last things before it ends the process. */
const usualTimeouts = { attempt: attemptTimeout, stop: 8_000 }

/** Each process looks so often; the one that stores a mail is woken. */
const roundEvery = 15_000

/** In milliseconds. The mail is sent, so this must be stored: a database that restarts is back within these pauses. */
const noteSentAgainAfter = [1_000, 2_000, 4_000, 8_000]

const stopping = new Error('The site was stopped.')

/**
 * Sends the mails of the outbox one by one. A mail is claimed before it is sent, by moving its next attempt: of several
 * processes one sends it, and if that is killed, the mail is tried again after the wait.
 */
export function createMailer({ config, database: { db }, clock, log, timeouts = usualTimeouts }: Parts): Mailer {
  /** Taken by the mail server, and not yet recorded in the database: they must not be sent again. */
  const taken = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isOn = false
  let isWoken = false
  let underWay: Promise<void> | undefined
  let attempt: AbortController | undefined

  function wake() {
    if (!isOn || !config.mail) return
    isWoken = true
    underWay ??= work()
  }

  async function work() {
    for (let { mail } = config; isOn && isWoken && mail; { mail } = config) {
      isWoken = false
      const transport = createTransport(mail.server)
      await sendAllDue(mail, transport)
        .catch((error: unknown) => log.error({ err: error }, 'the outbox cannot be read or written'))
        .finally(transport.hangUp)
    }
    // Not in a `finally`, which runs later: a wake in between would be lost.
    underWay = undefined
  }

  async function sendAllDue(settings: MailSettings, transport: Transport) {
    for (let due = await listDue(db, clock.now()); due.length > 0; due = await listDue(db, clock.now())) {
      for (const mail of due) {
        if (config.mail !== settings) isWoken = true
        if (!isOn || config.mail !== settings) return
        const claimed = await claim(db, mail, clock.now())
        const failure = claimed && (await send(claimed, { from: settings.from, transport }))
        // A server that is down, or refuses the password, is tried once a round and not once for each mail.
        if (failure?.concernsAll) return
      }
    }
  }

  async function send(mail: MailRow, by: Sender): Promise<Verdict | undefined> {
    const failure = taken.has(mail.id) ? undefined : await handOver(mail, by)
    if (!failure) {
      taken.add(mail.id)
      await noteSentSurely(mail)
      taken.delete(mail.id)
      return undefined
    }
    if (failure === stopping) {
      await putBack(db, mail, clock.now())
      return undefined
    }
    const verdict = verdictOn(failure)
    const gaveUp = verdict.isFinal || mail.attempts >= mostAttempts
    await noteFailure(db, mail, { reason: verdict.reason, gaveUp, now: clock.now() })
    // An answer about one mail contains the address, which the log must not have; the panel shows it.
    const reason = verdict.concernsAll ? verdict.reason : undefined
    log.warn(
      { mail: mail.id, kind: mail.kind, attempts: mail.attempts, gaveUp, reason },
      'a mail was not taken by the mail server',
    )
    return verdict
  }

  /** What went wrong, if anything did. */
  async function handOver({ id, kind, message, createdAt }: MailRow, { from, transport }: Sender) {
    attempt = new AbortController()
    const { signal } = attempt
    const tooLong = new Error(`The mail server did not finish within ${timeouts.attempt / 1000} seconds.`)
    const limit = setTimeout(() => attempt?.abort(tooLong), timeouts.attempt)
    try {
      const now = clock.now()
      const date = isFuture(createdAt, now) ? now : new Date(createdAt)
      const head = { from, messageId: messageIdOf(id, from), date, isAutomatic: kind !== 'reply' }
      await transport.send({ ...message, ...head }, signal)
      return undefined
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    } finally {
      clearTimeout(limit)
      attempt = undefined
    }
  }

  async function noteSentSurely(mail: MailRow) {
    for (const pause of noteSentAgainAfter) {
      try {
        return await noteSent(db, mail, clock.now())
      } catch (error) {
        log.error({ err: error, mail: mail.id }, 'a mail was sent, and this could not be stored yet')
        if (!isOn) throw error
        await scheduler.wait(pause)
      }
    }
    await noteSent(db, mail, clock.now())
  }

  return {
    wake,
    start() {
      isOn = true
      // Not only with the first mail: an update may have replaced the files by then.
      if (config.mail)
        loadNodemailer().catch((error: unknown) => log.error({ err: error }, 'what sends mails cannot be loaded'))
      timer = setInterval(wake, roundEvery).unref()
      wake()
    },
    async stop() {
      isOn = false
      clearInterval(timer)
      const limit = setTimeout(() => attempt?.abort(stopping), timeouts.stop)
      await underWay
      clearTimeout(limit)
    },
  }
}
