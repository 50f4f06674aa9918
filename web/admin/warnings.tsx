import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ChangePassword } from './accounts/change-password.tsx'
import { overviewQuery } from './overview-calls.ts'
import { useAdminTexts } from './texts.ts'

/** What the owner should see to: stays until its cause is gone. */
export function Warnings() {
  const t = useAdminTexts()
  const { data: overview } = useQuery(overviewQuery)
  const [changing, setChanging] = useState(false)
  return (
    <>
      {/* Always there, so that a warning that comes later is read out. */}
      <div role="status" tabIndex={-1} data-focus-home className="outline-none">
        {overview?.warnings.map((warning) => (
          <div
            key={warning}
            className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-l-4 border-brass bg-brass/10 py-2 pr-2 pl-4"
          >
            <TriangleAlert className="size-5 shrink-0 text-brass-deep max-sm:hidden" aria-hidden />
            <p className="min-w-[min(15rem,100%)] flex-1 py-1.5 wrap-anywhere">{t.warnings[warning]}</p>
            {warning === 'demo_account' && (
              <Button size="small" onClick={() => setChanging(true)}>
                {t.accounts.change}
              </Button>
            )}
          </div>
        ))}
      </div>
      {changing && <ChangePassword onClose={() => setChanging(false)} />}
    </>
  )
}
