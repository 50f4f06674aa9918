import { ListChecks } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { useAdminTexts } from '../texts.ts'
import { useFirstSteps } from './first-steps-calls.ts'
import { usePuttingAway } from './use-putting-away.ts'

/** Brings the list back that was put away. */
export function ShowFirstSteps() {
  const { firstSteps: t } = useAdminTexts()
  const { data } = useFirstSteps()
  const { putAway, isPending } = usePuttingAway()
  if (!data?.putAway) return null
  return (
    <Button tone="quiet" size="small" className="mt-3 -mx-4" disabled={isPending} onClick={() => putAway(false)}>
      <ListChecks aria-hidden />
      {t.show}
    </Button>
  )
}
