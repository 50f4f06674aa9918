import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ComponentProps, ComponentType } from 'react'
import { Block, type BlockNumber } from './block.tsx'
import { Dialog, DialogBody } from './dialog.tsx'
import { ListStates } from './list.tsx'
import { useAdminTexts } from './texts.ts'

type Parts = typeof import('./parts.ts')
type PropsOf<Name extends keyof Parts> = ComponentProps<Parts[Name]>

const partsQuery = queryOptions({ queryKey: ['parts'], queryFn: () => import('./parts.ts') })

/** `Part` is undefined until its code is loaded. */
export function usePart<Name extends keyof Parts>(name: Name) {
  const query = useQuery(partsQuery)
  return { Part: query.data?.[name] as ComponentType<PropsOf<Name>> | undefined, query }
}

type Loading = { isError: boolean; isFetching: boolean; refetch(): unknown }

/** Instead of what is loading, or could not be loaded. */
export function LazyStates({ query: { isError, isFetching, refetch } }: { query: Loading }) {
  const { common } = useAdminTexts()
  const words = { loading: common.loading, failed: common.partFailed, empty: '' }
  return (
    <ListStates query={{ data: undefined, isError: isError && !isFetching, refetch }} words={words}>
      {() => null}
    </ListStates>
  )
}

type BlockProps = { part: 'BackupsBlock' | 'Figures'; number: BlockNumber; className: string }

/** A block of the dashboard whose code is loaded after the others. */
export function LazyBlock({ part, number, className }: BlockProps) {
  const { dashboard } = useAdminTexts()
  const { Part, query } = usePart(part)
  if (Part) return <Part className={className} />
  return (
    <Block number={number} title={dashboard.blockNames[number]} className={className}>
      <LazyStates query={query} />
    </Block>
  )
}

type DialogProps<Name extends keyof Parts> = { part: Name; props: PropsOf<Name> & { onClose(): void } }

/** A dialog that opens at once, unless its code is still loading. */
export function LazyDialog<Name extends keyof Parts>({ part, props }: DialogProps<Name>) {
  const { common } = useAdminTexts()
  const { Part, query } = usePart(part)
  if (Part) return <Part {...props} />
  return (
    <Dialog onClose={props.onClose} title={common.loading} description={common.partText}>
      <DialogBody>
        <LazyStates query={query} />
      </DialogBody>
    </Dialog>
  )
}
