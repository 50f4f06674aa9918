import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { checksSummary } from '#content/check-words.ts'
import { gravestOf } from '#contract/checks.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Dialog, DialogBody } from '../dialog.tsx'
import { ListStates } from '../list.tsx'
import { checksQuery } from '../overview-calls.ts'
import { useCheckTexts } from '../texts.ts'
import { CheckLine, looks } from './checks.tsx'

/** All checks, made anew whenever it is opened. */
export function ChecksDialog({ onClose }: { onClose(): void }) {
  const t = useCheckTexts()
  const query = useQuery({ ...checksQuery, refetchOnMount: 'always' })
  const { data, isFetching, isError, refetch } = query
  return (
    <Dialog onClose={onClose} title={t.title} description={t.text} width="wide">
      <DialogBody className="pt-0">
        {data && isError && (
          <p role="alert" className="border-b border-(--line) py-3 text-oxide">
            {t.failed}
          </p>
        )}
        <ListStates query={{ ...query, data: data?.checks }} words={{ ...t, empty: t.failed }}>
          {(checks) => (
            <div aria-busy={isFetching} className={cn('transition-opacity', isFetching && 'opacity-60')}>
              {/* In the part that scrolls, so that the keyboard scrolls it. */}
              <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b-2 border-ink py-4">
                <p role="status" className={cn('mr-auto font-display text-xl', looks[gravestOf(checks)].mark)}>
                  {checksSummary(checks, t)}
                </p>
                <Button icon={RotateCcw} size="small" aria-disabled={isFetching} onClick={() => !isFetching && void refetch()}>
                  {isFetching ? t.loading : t.again}
                </Button>
              </div>
              <ul>
                {checks.map((check) => (
                  <CheckLine
                    key={check.check}
                    check={check}
                    name={t.names[check.check]}
                    className="border-b border-(--line) py-3 last:border-b-0"
                  />
                ))}
              </ul>
            </div>
          )}
        </ListStates>
      </DialogBody>
    </Dialog>
  )
}
