import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from './tables.ts'

/** Every process shows a change within a second. */
const pollInterval = 500

/** `opened` is read with the version: no page of an open site may be made for one that is not. */
export type ContentChanged = (site: { opened: boolean }) => void | Promise<void>

export type ContentWatch = {
  /** Reads the version now. */
  check(): Promise<void>
  stop(): Promise<void>
}

/** Polls the content version, and calls `changed` when it differs, and after the first read. A failed read may miss a change. */
export async function watchContentVersion(
  db: Db,
  changed: ContentChanged,
  onFailure: (error: unknown) => void,
): Promise<ContentWatch> {
  const stopping = new AbortController()
  let version: string | undefined
  const read = async () => {
    const read = db.selectFrom('site').select(['contentVersion', 'opened'])
    const { contentVersion, opened } = await read.executeTakeFirstOrThrow()
    if (contentVersion !== version) await changed({ opened })
    version = contentVersion
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
