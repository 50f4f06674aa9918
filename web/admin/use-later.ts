import { type ComponentType, useEffect, useState } from 'react'

/** A part of the panel that is fetched when it is opened: most visits to the dashboard are about something else. */
export function useLater<Props>(fetchPart: () => Promise<ComponentType<Props>>) {
  const [Part, setPart] = useState<ComponentType<Props>>()
  const [attempt, setAttempt] = useState(0)
  const [isMissing, setIsMissing] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another attempt fetches it again.
  useEffect(() => {
    let isWanted = true
    fetchPart().then(
      (loaded) => isWanted && setPart(() => loaded),
      () => isWanted && setIsMissing(true),
    )
    return () => {
      isWanted = false
    }
  }, [attempt])
  const retry = () => {
    setIsMissing(false)
    setAttempt(attempt + 1)
  }
  return { Part, isMissing, retry }
}
