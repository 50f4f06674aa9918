import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from './tables.ts'

/** A change is to be shown by every process within a second. */
const pollInterval = 500

export type ContentWatch = {
  /** Reads the version now. */
  check(): Promise<void>
  stop(): Promise<void>
}

/**
 * Reads the content version again and again, and calls `changed` whenever it is another one; the first time as well. A read
 * that fails may have missed a change.
 */
export async function watchContentVersion(
  db: Db,
  changed: () => void,
  onFailure: (error: unknown) => void,
): Promise<ContentWatch> {
  const stopping = new AbortController()
  let known: string | undefined
  const read = async () => {
    const { contentVersion } = await db.selectFrom('site').select('contentVersion').executeTakeFirstOrThrow()
    if (contentVersion !== known) changed()
    known = contentVersion
  }
  const check = () => read().catch(onFailure)
  const poll = async () => {
    const { signal } = stopping
    while (!signal.aborted) {
      await wait(pollInterval, undefined, { ref: false, signal }).catch(() => {})
      if (!signal.aborted) await check()
    }
  }
  await check()
  const polling = poll()
  return {
    check,
    async stop() {
      stopping.abort()
      await polling
    },
  }
}
