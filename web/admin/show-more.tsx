import { useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { useAdminTexts } from './texts.ts'

type List = {
  hasNextPage: boolean
  isFetching: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage(): unknown
}

type Props = {
  list: List
  /** How many rows there are now. */
  shown: number
  label: string
}

/** Stands below a list of rows and adds the next page to it. The keyboard goes on at the first row that is new. */
export function ShowMore({ list, shown, label }: Props) {
  const t = useAdminTexts()
  const place = useRef<HTMLDivElement>(null)
  const shownBefore = useRef<number>(undefined)
  useEffect(() => {
    if (shownBefore.current === undefined || shownBefore.current >= shown) return
    const row = place.current?.previousElementSibling?.children[shownBefore.current]
    row?.querySelector<HTMLElement>('button, a')?.focus()
    shownBefore.current = undefined
  }, [shown])
  const showMore = () => {
    if (list.isFetching) return
    shownBefore.current = shown
    void list.fetchNextPage()
  }
  return (
    <div ref={place}>
      {list.hasNextPage && (
        <div className="mt-6 text-center">
          {list.isFetchNextPageError && (
            <p role="alert" className="mb-3 text-(--danger)">
              {t.common.moreFailed}
            </p>
          )}
          <Button size="small" onClick={showMore} aria-disabled={list.isFetching}>
            {list.isFetchingNextPage ? t.common.loading : label}
          </Button>
        </div>
      )}
    </div>
  )
}
