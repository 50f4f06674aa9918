import { type ComponentType, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody } from '../ui/dialog.tsx'
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

/** A part of the panel whose code is loaded when it is opened, or before. */
export function lazyPart<Props>(fetchPart: () => Promise<ComponentType<Props>>) {
  const part = {
    loaded: undefined as ComponentType<Props> | undefined,
    async load() {
      part.loaded ??= await fetchPart()
      return part.loaded
    },
  }
  parts.push(part)
  return part
}

type LazyPart<Props> = ReturnType<typeof lazyPart<Props>>

const parts: { load(): Promise<unknown> }[] = []

/** Once the panel is shown: a dialog then opens at once. One that cannot be loaded now is loaded when it is opened. */
export function useLoadParts(isShown: boolean) {
  useEffect(() => {
    if (isShown) for (const part of parts) void part.load().catch(() => {})
  }, [isShown])
}

export function useLazy<Props>(part: LazyPart<Props>) {
  const [Part, setPart] = useState(() => part.loaded)
  const [attempt, setAttempt] = useState(0)
  const [isMissing, setIsMissing] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another attempt loads it again.
  useEffect(() => {
    let isMounted = true
    part.load().then(
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

type DialogProps<Props> = { part: LazyPart<Props>; props: Props }

/** A dialog whose code is loaded when it is opened, or before. */
export function LazyDialog<Props extends { onClose(): void }>({ part, props }: DialogProps<Props>) {
  const { Part, ...lazy } = useLazy(part)
  const { common } = useAdminTexts()
  if (Part) return <Part {...props} />
  const { loading: title, partText: description, partFailed: failed } = common
  return (
    <Dialog open onClose={props.onClose} title={title} description={description} closeLabel={common.close}>
      <LazyBody {...lazy} loading={title} failed={failed} />
    </Dialog>
  )
}
