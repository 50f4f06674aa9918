import { mostContactPhotos } from '#contract/contact-fields.ts'
import { CallError } from '../api/call.ts'
import { canRetry, type PhotoFault, photoFaultOf, refusalOf } from './contact-photos.rules.ts'

export type ContactPhoto = {
  id: number
  name: string
  /** An address of the file in this browser. */
  preview: string
  state: 'waiting' | 'sending' | 'there' | 'refused'
  /** How much has been sent, up to 1. */
  sent: number
  fault?: PhotoFault
}

type Held = ContactPhoto & { file: File; stop: AbortController; ticket?: string }

type Options = {
  /** Sends a photo and answers its ticket. */
  send(file: File, sending: { signal: AbortSignal; onProgress(part: number): void }): Promise<string>
  /** How long nothing may arrive before a photo is given up, in milliseconds. */
  patience?: number
}

/** Those that are never taken need none. */
export function roomIn(photos: readonly ContactPhoto[]) {
  return mostContactPhotos - photos.filter(({ state, fault }) => state !== 'refused' || !fault || canRetry(fault)).length
}

/** The photos of a message, each sent as soon as it is chosen, one after the other. One that fails holds up none. */
export function holdPhotos({ send, patience = 45_000 }: Options) {
  let held: readonly Held[] = []
  let given = 0
  let line = Promise.resolve()
  const listeners = new Set<() => void>()

  const show = (next: readonly Held[]) => {
    held = next
    for (const listener of listeners) listener()
  }
  const change = (id: number, changes: Partial<Held>) => {
    show(held.map((each) => (each.id === id ? { ...each, ...changes } : each)))
  }
  const drop = (gone: readonly Held[]) => {
    for (const { stop, preview } of gone) {
      stop.abort()
      URL.revokeObjectURL(preview)
    }
    show(held.filter((each) => !gone.includes(each)))
  }

  async function sendOne(id: number) {
    const photo = held.find((each) => each.id === id)
    if (!photo) return
    const { file, stop } = photo
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => stop.abort(new DOMException('Nothing arrives any more', 'TimeoutError')), patience)
    }
    wait()
    change(id, { state: 'sending', sent: 0 })
    try {
      const onProgress = (sent: number) => {
        wait()
        change(id, { sent })
      }
      change(id, { state: 'there', ticket: await send(file, { signal: stop.signal, onProgress }) })
    } catch (error) {
      change(id, { state: 'refused', fault: photoFaultOf(error instanceof CallError ? error.problem?.code : undefined) })
    } finally {
      clearTimeout(timer)
    }
  }
  const queue = (id: number) => {
    line = line.then(() => sendOne(id))
  }
  const retry = (id: number) => {
    change(id, { state: 'waiting', stop: new AbortController() })
    queue(id)
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    photos: (): readonly ContactPhoto[] => held,
    /** Whether there was room for all of them. */
    add(files: readonly File[]) {
      const taken = files.slice(0, roomIn(held))
      for (const file of taken) {
        given += 1
        const fault = refusalOf(file)
        const preview = URL.createObjectURL(file)
        const photo = { id: given, name: file.name, file, preview, sent: 0, stop: new AbortController() }
        show([...held, fault ? { ...photo, state: 'refused', fault } : { ...photo, state: 'waiting' }])
        if (!fault) queue(given)
      }
      return taken.length === files.length
    },
    retry,
    /** The line has dropped: an upload would wait for an answer that never comes. */
    interrupt() {
      for (const { state, stop } of held) if (state === 'sending') stop.abort()
    },
    /** It is there again. */
    resume() {
      for (const { id, fault, state } of held) if (state === 'refused' && fault === 'failed') retry(id)
    },
    remove(ids: readonly number[]) {
      drop(held.filter(({ id }) => ids.includes(id)))
    },
    /** All of them when none is on its way any more, and what stands for those that arrived. */
    async settled() {
      while (held.some(({ state }) => state === 'waiting' || state === 'sending')) await line
      return { ids: held.map(({ id }) => id), tickets: held.flatMap(({ ticket }) => ticket ?? []) }
    },
  }
}
