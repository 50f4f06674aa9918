import type { UseQueryResult } from '@tanstack/react-query'
import { RotateCcw, Search } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Input } from '../ui/field.tsx'
import { useFocusNew } from '../ui/use-focus-new.ts'
import { focusHome } from './block.tsx'
import { useAdminTexts } from './texts.ts'

type Props<T> = {
  query: {
    data: T[] | undefined
    isError: boolean
    /** Those of another search, until its own arrive. */
    isPlaceholderData?: boolean
    refetch(): unknown
  }
  words: Record<'loading' | 'failed' | 'empty', string>
  children(items: T[]): ReactNode
}

/** A list that is loading, failed, empty or there. Loaded rows stay when reading them again fails. */
export function ListStates<T>({ query, words, children }: Props<T>) {
  const { data, isError, isPlaceholderData = false, refetch } = query
  if (data && data.length > 0) {
    return (
      <div className={cn('transition-opacity', isPlaceholderData && 'opacity-45')} aria-busy={isPlaceholderData}>
        {children(data)}
      </div>
    )
  }
  if (data && !isError) return <p className="border-b border-(--line) px-2 py-10 text-center text-(--quiet)">{words.empty}</p>
  return isError ? <Failed title={words.failed} onRetry={refetch} /> : <Loading label={words.loading} />
}

function Failed({ title, onRetry }: { title: string; onRetry(): unknown }) {
  const t = useAdminTexts()
  const retry = (event: MouseEvent) => {
    focusHome(event.currentTarget)
    onRetry()
  }
  return (
    <div role="alert" className="mt-4 border border-oxide/40 bg-oxide/5 px-5 py-8 text-center">
      <p className="font-display text-xl">{title}</p>
      <p className="mt-1 text-[0.9375rem] text-(--quiet)">{t.common.unreadable}</p>
      <Button icon={RotateCcw} className="mt-5" onClick={retry}>
        {t.common.retry}
      </Button>
    </div>
  )
}

/** A small part that could not be read. */
export function ReadAgain({ query, failed }: { query: Pick<UseQueryResult, 'isFetching' | 'refetch'>; failed: string }) {
  const { common } = useAdminTexts()
  return (
    <div role="alert" className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="mr-auto text-[0.9375rem] text-oxide">{failed}</p>
      <Button icon={RotateCcw} disabled={query.isFetching} onClick={() => void query.refetch()}>
        {common.retry}
      </Button>
    </div>
  )
}

function Loading({ label }: { label: string }) {
  return (
    <div data-slot="loading">
      <p role="status" className="sr-only">
        {label}
      </p>
      {['w-2/5', 'w-3/5', 'w-1/3'].map((width) => (
        <div key={width} aria-hidden="true" className="animate-pulse border-b border-(--line) py-5">
          <div className={`h-4 rounded-[2px] bg-bone-line/70 ${width}`} />
          <div className="mt-3 h-3 w-1/4 rounded-[2px] bg-bone-line/50" />
        </div>
      ))}
    </div>
  )
}

/** Otherwise typing sends a request for every letter. */
export function useDebounced<T>(value: T, milliseconds = 250) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return settled
}

type ShowMoreProps = {
  list: {
    hasNextPage: boolean
    isFetching?: boolean
    isFetchingNextPage?: boolean
    isFetchNextPageError?: boolean
    fetchNextPage(): unknown
  }
  shown: number
  label: string
}

export function ShowMore({ list, shown, label }: ShowMoreProps) {
  const t = useAdminTexts()
  const { place, awaitNew } = useFocusNew(shown)
  const showMore = () => {
    if (list.isFetching) return
    awaitNew()
    void list.fetchNextPage()
  }
  return (
    <div ref={place} className="max-md:in-data-short:hidden">
      {list.hasNextPage && (
        <div className="mt-6 text-center">
          {list.isFetchNextPageError && (
            <p role="alert" className="mb-3 text-(--danger)">
              {t.common.moreFailed}
            </p>
          )}
          <Button onClick={showMore} aria-disabled={list.isFetching}>
            {list.isFetchingNextPage ? t.common.loading : label}
          </Button>
        </div>
      )}
    </div>
  )
}

type SearchBoxProps = { label: string; value: string; onChange(next: string): void }

export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  const id = useId()
  return (
    <div className="relative min-w-0 flex-1">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search className="pointer-events-none absolute top-4 left-4 size-4 text-(--quiet)" />
      <Input
        id={id}
        type="search"
        value={value}
        maxLength={200}
        placeholder={label}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="pl-11"
      />
    </div>
  )
}

type RowProps = {
  name: string
  mark?: string | false
  role?: string | false
  facts?: Record<string, string>
  actions?: ReactNode
  children?: ReactNode
}

/** A name with facts in small type, and what can be done with it. */
export function Row({ name, mark, role, facts = {}, actions, children }: RowProps) {
  return (
    <li className="flex items-center gap-3 border-b border-(--line) py-3">
      <div className="mr-auto min-w-0">
        <h3 className="flex flex-wrap items-center gap-x-2 font-text text-base font-medium tracking-normal">
          <span className="wrap-anywhere">{name}</span>
          {mark && <Badge tone="accent">{mark}</Badge>}
          {role && <Badge>{role}</Badge>}
        </h3>
        <dl className="mt-1 flex flex-wrap gap-x-5 text-[0.8125rem] text-(--quiet)">
          {Object.entries(facts).map(([fact, value]) => (
            <div key={fact} className="flex gap-1.5">
              <dt className="shrink-0">{`${fact}:`}</dt>
              <dd className="font-mono wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
        {children}
      </div>
      {actions}
    </li>
  )
}
