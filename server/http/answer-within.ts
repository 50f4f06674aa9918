import { setTimeout as wait } from 'node:timers/promises'

/** The answer, or the other one when it takes longer than that. A failure after that time is not heard of. */
export async function answerWithin<T>(milliseconds: number, answer: Promise<T>, otherwise: T): Promise<T> {
  const timer = new AbortController()
  const late = wait(milliseconds, otherwise, { ref: false, signal: timer.signal })
  late.catch(() => {})
  return Promise.race([answer, late]).finally(() => timer.abort())
}
