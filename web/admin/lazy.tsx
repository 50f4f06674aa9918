import { type ComponentType, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { DialogBody } from '../ui/dialog.tsx'
import { useAdminTexts } from './texts.ts'

type Props = { isMissing: boolean; retry(): void; loading: string; failed: string; className?: string }

/** What a dialog shows while its contents are fetched, and when they did not arrive. */
export function LazyBody({ isMissing, retry, loading, failed, className }: Props) {
  const { common } = useAdminTexts()
  return (
    <DialogBody {...(className && { className })}>
      {isMissing ? (
        <div role="alert">
          <p className="mb-4">{failed}</p>
          <Button size="small" onClick={retry}>
            {common.retry}
          </Button>
        </div>
      ) : (
        <p role="status" className="text-(--quiet)">
          {loading}
        </p>
      )}
    </DialogBody>
  )
}

/** A part of the panel that is fetched when it is opened: most visits to the dashboard are about something else. */
export function useLazy<Props>(fetchPart: () => Promise<ComponentType<Props>>) {
  const [Part, setPart] = useState<ComponentType<Props>>()
  const [attempt, setAttempt] = useState(0)
  const [isMissing, setIsMissing] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another attempt fetches it again.
  useEffect(() => {
    let isMounted = true
    fetchPart().then(
      (loaded) => isMounted && setPart(() => loaded),
      () => isMounted && setIsMissing(true),
    )
    return () => {
      isMounted = false
    }
  }, [attempt])
  const retry = () => {
    setIsMissing(false)
    setAttempt(attempt + 1)
  }
  return { Part, isMissing, retry }
}
