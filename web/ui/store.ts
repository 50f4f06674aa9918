import { useSyncExternalStore } from 'react'

/** A value outside of React, and who listens to it. */
export function openStore<Value>(value: Value) {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next: Value) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Store<Value> = Omit<ReturnType<typeof openStore<Value>>, 'set'>

/** On the server it is as it began: nothing changes it there. */
export function useStore<Value>({ subscribe, get }: Store<Value>) {
  return useSyncExternalStore(subscribe, get, get)
}
