import { type ComponentType, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { DialogBody } from '../ui/dialog.tsx'
import { useAdminTexts } from './texts.ts'

type Props = { isMissing: boolean; retry(): void; loading: string; failed: string; className?: string }

/** The body of a dialog while its code loads, and when loading has failed. */
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

/** A part of the panel whose code is loaded when it is opened. */
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
