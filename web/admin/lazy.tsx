import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, useEffect } from 'react'
import { Block, type BlockNumber } from './block.tsx'
import { Dialog, DialogBody } from './dialog.tsx'
import { ListStates } from './list.tsx'
import { useAdminTexts } from './texts.ts'

const parts: { queryKey: unknown[]; queryFn(): Promise<unknown> }[] = []

/** A part of the panel whose code is loaded when it is opened, or before. */
export function lazyPart<Props>(fetchPart: () => Promise<ComponentType<Props>>) {
  const part = { queryKey: ['part', parts.length], queryFn: fetchPart, gcTime: Number.POSITIVE_INFINITY }
  parts.push(part)
  return part
}

type LazyPart<Props> = ReturnType<typeof lazyPart<Props>>

/** Once the panel is shown: a dialog then opens at once. One that cannot be loaded now is loaded when it is opened. */
export function useLoadParts(isShown: boolean) {
  const cache = useQueryClient()
  useEffect(() => {
    if (isShown) for (const part of parts) void cache.prefetchQuery(part)
  }, [isShown, cache])
}

export function useLazy<Props>(part: LazyPart<Props>) {
  const query = useQuery(part)
  return { Part: query.data, isMissing: query.isError && !query.isFetching, retry: () => void query.refetch() }
}

type States = Omit<ReturnType<typeof useLazy>, 'Part'>

/** Instead of a part whose code is loading, or could not be loaded. */
export function LazyStates({ isMissing, retry }: States) {
  const { common } = useAdminTexts()
  const words = { loading: common.loading, failed: common.partFailed, empty: '' }
  return (
    <ListStates query={{ data: undefined, isError: isMissing, refetch: retry }} words={words}>
      {() => null}
    </ListStates>
  )
}

type BlockProps = { part: LazyPart<{ className: string }>; number: BlockNumber; className: string }

/** A block of the dashboard whose code is loaded after the others. */
export function LazyBlock({ part, number, className }: BlockProps) {
  const { dashboard } = useAdminTexts()
  const { Part, ...lazy } = useLazy(part)
  if (Part) return <Part className={className} />
  return (
    <Block number={number} title={dashboard.blockNames[number]} className={className}>
      <LazyStates {...lazy} />
    </Block>
  )
}

type DialogProps<Props> = { part: LazyPart<Props>; props: Props }

export function LazyDialog<Props extends { onClose(): void }>({ part, props }: DialogProps<Props>) {
  const { Part, ...lazy } = useLazy(part)
  const { common } = useAdminTexts()
  if (Part) return <Part {...props} />
  return (
    <Dialog onClose={props.onClose} title={common.loading} description={common.partText}>
      <DialogBody>
        <LazyStates {...lazy} />
      </DialogBody>
    </Dialog>
  )
}
