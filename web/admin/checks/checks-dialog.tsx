import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { gravestOf } from '#contract/checks.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Dialog, DialogActions, DialogBody } from '../dialog.tsx'
import { ListStates } from '../list.tsx'
import { checksQuery } from '../overview-calls.ts'
import { useCheckTexts } from '../texts.ts'
import { CheckLine, looks, summary } from './checks.tsx'

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
              <p
                role="status"
                className={cn('border-b-2 border-ink pt-5 pb-3 font-display text-xl', looks[gravestOf(checks)].mark)}
              >
                {summary(checks, t)}
              </p>
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
      <DialogActions>
        <Button icon={RotateCcw} size="small" aria-disabled={isFetching} onClick={() => !isFetching && void refetch()}>
          {isFetching ? t.loading : t.again}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
