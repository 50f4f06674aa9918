import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseAway } from '#server/database/database-errors.ts'

/** The answer, or the fallback when it takes longer than that. A failure after that time is dropped. */
export async function withTimeout<T>(milliseconds: number, answer: Promise<T>, fallback: T): Promise<T> {
  const timer = new AbortController()
  const late = wait(milliseconds, fallback, { ref: false, signal: timer.signal })
  late.catch(() => {})
  return Promise.race([answer, late]).finally(() => timer.abort())
}

/** A database that takes longer than this is as good as away. */
export const awayAfter = 1_000

/** The answer, or the fallback while the database is away. */
export async function unlessAway<T>(answer: Promise<T>, fallback: T, milliseconds = awayAfter): Promise<T> {
  try {
    return await withTimeout(milliseconds, answer, fallback)
  } catch (error) {
    if (isDatabaseAway(error)) return fallback
    throw error
  }
}
