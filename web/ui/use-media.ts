import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query is true now. Not for pages that the server renders. */
export function useMedia(query: string) {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
