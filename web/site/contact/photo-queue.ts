import type { ContactFormTexts } from '#content/en/contact-form.ts'
import { maxImageBytes, mostContactPhotos } from '#contract/contact-fields.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { CallError } from '../../api/call.ts'

export type ContactPhoto = {
  id: number
  name: string
  /** An object URL. */
  preview: string
  state: 'waiting' | 'sending' | 'there' | 'refused'
  /** How much has been sent, up to 1. */
  sent: number
  fault?: PhotoFault
}

type Held = ContactPhoto & { file: File; stop: AbortController; ticket?: string }

type Options = {
  /** Sends a photo and resolves to its ticket. */
  send(file: File, sending: { signal: AbortSignal; onProgress(part: number): void }): Promise<string>
  /** Milliseconds without progress until an upload is aborted. */
  timeout?: number
}

/** Photos that can never be accepted do not count. */
export function roomIn(photos: readonly ContactPhoto[]) {
  return mostContactPhotos - photos.filter(({ state, fault }) => state !== 'refused' || !fault || canRetry(fault)).length
}

/** The photos of a message, sent one after the other as soon as they are chosen. A failed one does not hold up the others. */
export function holdPhotos({ send, timeout = 45_000 }: Options) {
  let held: readonly Held[] = []
  let lastId = 0
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
      timer = setTimeout(() => stop.abort(new DOMException('Nothing arrives any more', 'TimeoutError')), timeout)
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
    /** Returns whether there was room for all. */
    add(files: readonly File[]) {
      const taken = files.slice(0, roomIn(held))
      for (const file of taken) {
        lastId += 1
        const fault = refusalOf(file)
        const preview = URL.createObjectURL(file)
        const photo = { id: lastId, name: file.name, file, preview, sent: 0, stop: new AbortController() }
        show([...held, fault ? { ...photo, state: 'refused', fault } : { ...photo, state: 'waiting' }])
        if (!fault) queue(lastId)
      }
      return taken.length === files.length
    },
    retry,
    /** Offline: aborts the upload, which would wait for an answer forever. */
    interrupt() {
      for (const { state, stop } of held) if (state === 'sending') stop.abort()
    },
    /** Online again: retries failed uploads. */
    resume() {
      for (const { id, fault, state } of held) if (state === 'refused' && fault === 'failed') retry(id)
    },
    remove(ids: readonly number[]) {
      drop(held.filter(({ id }) => ids.includes(id)))
    },
    /** Waits for all uploads; resolves to all ids, and the tickets of those that succeeded. */
    async settled() {
      while (held.some(({ state }) => state === 'waiting' || state === 'sending')) await line
      return { ids: held.map(({ id }) => id), tickets: held.flatMap(({ ticket }) => ticket ?? []) }
    },
  }
}

type PhotoFault = keyof ContactFormTexts['photos']['faults']

/** What is refused without sending it. Some systems give HEIC files no type; the server judges other files without a type. */
export function refusalOf({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): PhotoFault | undefined {
  if (/^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name)) return 'heic'
  if (type !== '' && !type.startsWith('image/')) return 'notAPhoto'
  return size > maxImageBytes ? 'tooLarge' : undefined
}

const refusals: Partial<Record<ProblemCode, PhotoFault>> = {
  image_too_large: 'tooLarge',
  image_too_many_pixels: 'tooLarge',
  image_too_long: 'tooLarge',
  image_too_slow: 'tooLarge',
  image_needs_memory: 'tooLarge',
  body_too_large: 'tooLarge',
  not_an_image: 'notAPhoto',
  heic_not_supported: 'heic',
  image_broken: 'broken',
  too_many_photos: 'full',
}

/** A code that is not about the photo itself means that a retry may succeed. */
export function photoFaultOf(code: string | undefined): PhotoFault {
  return refusals[code as ProblemCode] ?? 'failed'
}

export const canRetry = (fault: PhotoFault) => fault === 'failed' || fault === 'full'
