import { createContext, useContext, useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** A GET request. Reads with the same key share one answer. */
export type Read<T> = { key: string; fetch(): Promise<T> }

export type Answer<T> = { data?: T | undefined; isFetching: boolean; isError: boolean }

export type Cache = ReturnType<typeof createCache>

const unasked: Answer<never> = { isFetching: false, isError: false }

/** A small query cache for the public page: no retries, no polling, no refetching on focus. */
export function createCache() {
  const answers = new Map<string, Answer<unknown>>()
  const pending = new Map<string, Promise<unknown>>()
  const listeners = new Set<() => void>()

  const get = <T>({ key }: Read<T>) => (answers.get(key) ?? unasked) as Answer<T>

  function set(key: string, answer: Answer<unknown>) {
    answers.set(key, answer)
    for (const listener of listeners) listener()
  }

  /** Reads, even if there is an answer. Of several concurrent reads the last one counts. */
  function read<T>(source: Read<T>) {
    const { key, fetch } = source
    const reading = fetch()
      .then(
        (data) => ({ data, isError: false }),
        () => ({ isError: true }),
      )
      .then((outcome) => {
        if (pending.get(key) === reading) {
          pending.delete(key)
          set(key, { ...get(source), ...outcome, isFetching: false })
        }
        return get(source).data
      })
    pending.set(key, reading)
    set(key, { ...get(source), isFetching: true, isError: false })
    return reading
  }

  return {
    get,
    read,
    /** The cached answer, the pending one, or a new read; undefined when reading fails. */
    async ensure<T>(source: Read<T>) {
      return get(source).data ?? ((await (pending.get(source.key) ?? read(source))) as T | undefined)
    },
    put<T>(source: Read<T>, data: T | undefined) {
      set(source.key, { ...get(source), data })
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const CacheContext = createContext<Cache | undefined>(undefined)
export const CacheProvider = CacheContext.Provider

export function useCache() {
  const cache = useContext(CacheContext)
  if (!cache) throw new Error('useCache must be used within a CacheProvider')
  return cache
}

/** The answer to a read, which is made when it is enabled and not cached. */
export function useRead<T>(source: Read<T>, enabled = true): Answer<T> {
  const cache = useCache()
  const answerNow = () => cache.get(source)
  const answer = useSyncExternalStore(cache.subscribe, answerNow, answerNow)
  const ensure = useEffectEvent(() => void cache.ensure(source))
  const enabledKey = enabled && source.key
  useEffect(() => {
    if (enabledKey) ensure()
  }, [enabledKey])
  return answer
}
