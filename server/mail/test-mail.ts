import { randomUUID } from 'node:crypto'
import type { MailTested } from '#contract/settings.ts'
import type { Clock } from '#server/clock.ts'
import { Problem } from '#server/http/problem.ts'
import { oneLine } from './compose.rules.ts'
import type { MailSettings } from './mailer.ts'
import { failedStep } from './retries.rules.ts'
import { createTransport, messageIdOf } from './transport.ts'

/** The panel waits for the answer. */
const timeout = 30_000

/** Sends a mail to each reader of messages, past the outbox, and answers what the mail server said to the last. */
export async function sendAtOnce(
  { server, from, to }: MailSettings,
  composed: { subject: string; text: string },
  clock: Clock,
): Promise<MailTested> {
  const transport = createTransport(server)
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new Error(`There was no answer within ${timeout / 1000} seconds.`)), timeout)
  let answer = ''
  try {
    for (const { address } of to) {
      const head = { from, messageId: messageIdOf(randomUUID(), from), date: clock.now(), isAutomatic: true }
      answer = await transport.send({ to: address, ...composed, ...head }, limit.signal)
    }
    return { to: to.map(({ address }) => address).join(', '), answer: oneLine(answer, 300) }
  } catch (error) {
    const { response, message } = error as Error & { response?: string }
    const details = { step: failedStep(error as Error), said: oneLine(response ?? message, 300) }
    throw new Problem('mail_refused', { details, cause: error })
  } finally {
    clearTimeout(timer)
    transport.hangUp()
  }
}
