import { useEffect, useState } from 'react'
import { openStore, useStore } from '../../ui/store.ts'
import { useNotices } from '../notices.ts'
import { heedRefusal } from '../session.ts'
import { useUploadTexts } from '../texts.ts'
import { canTryAgain, causeOf, NoUploadAddress, type Refusal, refusalOf, sendPhoto } from './send-photo.ts'

export type Upload = {
  id: string
  name: string
  state: 'waiting' | 'sending' | 'refused' | 'failed'
  /** How much has been sent, up to 1. */
  sent: number
  refusal?: Refusal
  error?: unknown
}

type Queued = Upload & { file: File; stop: AbortController }

type Options = {
  /** Sends a photo and resolves to its address. */
  send(file: File, sending: { signal: AbortSignal; onProgress(part: number): void }): Promise<string>
  /** A photo is stored. `number` is its place in the order of the files. */
  onArrived(address: string, number: number): Refusal | undefined
  onFailed?(error: unknown): void
  /** More would not be faster: the server encodes one at a time. */
  atOnce?: number
}

/** Sends many photos independently: a failed one does not hold up the others. */
export function queuePhotos({ send, onArrived, onFailed, atOnce = 3 }: Options) {
  const queue = openStore<readonly Queued[]>([])
  let lastId = 0

  const set = (id: string, change: Partial<Queued>) =>
    queue.set(queue.get().map((each) => (each.id === id ? { ...each, ...change } : each)))
  const drop = (ids: readonly string[]) => {
    for (const each of queue.get()) if (ids.includes(each.id)) each.stop.abort()
    queue.set(queue.get().filter(({ id }) => !ids.includes(id)))
  }
  const inState = (wanted: Upload['state']) => queue.get().filter(({ state }) => state === wanted)

  const sendNext = () => {
    for (const each of inState('waiting').slice(0, atOnce - inState('sending').length)) void sendOne(each)
  }
  const sendOne = async ({ id, file, stop: { signal } }: Queued) => {
    set(id, { state: 'sending', sent: 0 })
    try {
      const address = await send(file, { signal, onProgress: (sent) => set(id, { sent }) })
      if (signal.aborted) return
      const refusal = onArrived(address, Number(id))
      if (refusal) set(id, { state: 'refused', refusal })
      else drop([id])
    } catch (error) {
      if (signal.aborted) return
      set(id, { state: canTryAgain(error) ? 'failed' : 'refused', error })
      onFailed?.(error)
    }
    sendNext()
  }

  return {
    subscribe: queue.subscribe,
    get: (): readonly Upload[] => queue.get(),
    /** Takes as many as `room` allows, and returns the names of the others. */
    add(files: readonly File[], room: number): string[] {
      const left: string[] = []
      for (const file of files) {
        const refusal = refusalOf(file)
        if (!refusal && room <= 0) {
          left.push(file.name)
          continue
        }
        if (!refusal) room -= 1
        lastId += 1
        const upload = { id: String(lastId), name: file.name, file, sent: 0, stop: new AbortController() }
        queue.set([...queue.get(), refusal ? { ...upload, state: 'refused', refusal } : { ...upload, state: 'waiting' }])
      }
      sendNext()
      return left
    },
    retry(ids: readonly string[]) {
      for (const { id } of inState('failed')) {
        if (ids.includes(id)) set(id, { state: 'waiting', sent: 0, error: undefined, stop: new AbortController() })
      }
      sendNext()
    },
    remove(ids: readonly string[]) {
      drop(ids)
      sendNext()
    },
    stop() {
      drop(queue.get().map(({ id }) => id))
    },
  }
}

export type PhotoUploads = ReturnType<typeof usePhotoUploads>

/** The uploads of an open form; those unfinished are aborted when it closes. Keeps the first `onArrived`. */
export function usePhotoUploads(onArrived: Options['onArrived']) {
  const texts = useUploadTexts()
  const notices = useNotices()
  const onFailed = (error: unknown) => {
    heedRefusal(causeOf(error))
    if (error instanceof NoUploadAddress) notices.failed(error.cause, texts.noAddress)
  }
  const [queue] = useState(() => queuePhotos({ send: sendPhoto, onArrived, onFailed }))
  const uploads = useStore(queue)
  useEffect(() => queue.stop, [queue])
  return {
    ...queue,
    uploads,
    underWay: uploads.filter(({ state }) => state === 'waiting' || state === 'sending').length,
    failed: uploads.filter(({ state }) => state === 'failed'),
  }
}
