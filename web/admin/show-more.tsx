import { Button } from '../ui/button.tsx'
import { useFocusNew } from '../ui/use-focus-new.ts'
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

/** Stands below a list of rows and adds the next page to it. */
export function ShowMore({ list, shown, label }: Props) {
  const t = useAdminTexts()
  const { place, awaitNew } = useFocusNew(shown)
  const showMore = () => {
    if (list.isFetching) return
    awaitNew()
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
