import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ArrowRight, CircleCheck, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { checksSummary, checkWords } from '#content/check-words.ts'
import { gravestOf, type Level, type readChecks, type SiteCheck } from '#contract/checks.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { FirstStep } from '#contract/overview.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { goTo } from '../block.tsx'
import { goToMail } from '../contacts/mail-part.tsx'
import { useFirstSteps } from '../first-steps/first-steps-calls.ts'
import { LazyDialog } from '../lazy.tsx'
import { ReadAgain } from '../list.tsx'
import { checksQuery } from '../overview-calls.ts'
import { openSettings } from '../settings/settings-calls.ts'
import { useAdminTexts, useBackupTexts, useCheckTexts, useProblemTexts, useTimeZone } from '../texts.ts'

/** A colour is never alone: each has a shape of its own. */
export const looks: Record<Level, { icon: LucideIcon; mark: string; edge: string }> = {
  green: { icon: CircleCheck, mark: 'text-verdigris', edge: 'border-l-verdigris' },
  amber: { icon: TriangleAlert, mark: 'text-brass-deep', edge: 'border-l-brass' },
  red: { icon: CircleX, mark: 'text-oxide', edge: 'border-l-oxide' },
}

/** Those that the first steps ask for as well, with a way to do it, while they are open. */
const steps: Partial<Record<string, FirstStep>> = { mail_off: 'mail', backups_missing: 'backup', backups_here_only: 'copy' }

/** What is amber or red, and the way to all checks. For owners. */
export function SiteStatus() {
  const t = useCheckTexts()
  const query = useQuery(checksQuery)
  const shown = useShown(query)
  const [open, setOpen] = useState(false)
  // After a failed read the last answer may be wrong.
  const level = query.data && !query.isError ? gravestOf(query.data.checks) : undefined
  const { icon: Icon, mark, edge } = looks[level ?? 'green']
  return (
    <section
      aria-label={t.title}
      className={cn('mt-4 border border-l-4 border-(--line) bg-(--raised)', level ? edge : 'border-l-bone-line')}
    >
      {/* Always rendered, so that screen readers announce what is new. */}
      <div role="status" tabIndex={-1} data-focus-home className="outline-none">
        {shown.length > 0 && (
          <ul>
            {shown.map((check) => (
              <CheckLine key={check.check} check={check} className="border-b border-(--line) px-4 py-2.5 sm:px-5">
                <Mend check={check} />
              </CheckLine>
            ))}
          </ul>
        )}
      </div>
      {query.isError && (
        <div className="border-b border-(--line) px-4 pb-2 sm:px-5">
          <ReadAgain query={query} failed={t.failed} />
        </div>
      )}
      <button
        type="button"
        onClick={() => setOpen(true)}
        className={cn(
          'flex min-h-11 w-full items-center gap-3 px-4 py-2 text-left text-[0.9375rem] transition-colors hover:bg-bone sm:px-5',
          shown.length > 0 && 'bg-bone/60',
        )}
      >
        {level && shown.length === 0 && <Icon className={cn('size-5 shrink-0', mark)} strokeWidth={1.75} aria-hidden />}
        <span className="flex min-w-0 flex-1 flex-wrap gap-x-3">
          <span className="font-medium">{t.title}</span>
          {level && shown.length === 0 && <span className={mark}>{checksSummary(query.data?.checks ?? [], t)}</span>}
        </span>
        <ArrowRight className="size-5 shrink-0 text-(--quiet)" strokeWidth={1.75} aria-hidden />
      </button>
      {open && <LazyDialog part="ChecksDialog" props={{ onClose: () => setOpen(false) }} />}
    </section>
  )
}

/** The gravest first, without what stands on the dashboard already. */
function useShown({ data }: UseQueryResult<ReplyOf<typeof readChecks>>) {
  const { data: first } = useFirstSteps()
  const isAsked = ({ finding }: SiteCheck) => {
    const step = steps[finding]
    return step !== undefined && first?.steps && !first.steps.done.includes(step)
  }
  const open = data?.checks.filter((check) => check.check !== 'visitors' && !isAsked(check)) ?? []
  return (['red', 'amber'] as const).flatMap((level) => open.filter((check) => check.level === level))
}

type LineProps = { check: SiteCheck; name?: string; className: string; children?: ReactNode }

/** One check: what was found, what is to be done, and the way there. */
export function CheckLine({ check, name, className, children }: LineProps) {
  const t = useCheckTexts()
  const { locale } = useAdminTexts()
  const timeZone = useTimeZone()
  const { says, todo } = checkWords(check, {
    locale,
    timeZone,
    checks: t,
    backups: useBackupTexts(),
    problems: useProblemTexts(),
  })
  const { icon: Icon, mark } = looks[check.level]
  return (
    <li data-level={check.level} className={cn('flex flex-wrap items-center gap-x-4 gap-y-2', className)}>
      <div className="flex min-w-0 flex-1 gap-3 max-sm:basis-full">
        <Icon className={cn('mt-0.5 size-5 shrink-0', mark)} strokeWidth={1.75} aria-hidden />
        <div className="min-w-0 text-[0.9375rem] text-pretty wrap-anywhere">
          {name && <p className="font-medium">{name}</p>}
          <p className={cn(!name && 'font-medium', name && check.level === 'green' && 'text-(--quiet)')}>
            <span className="sr-only">{`${t.levels[check.level]}: `}</span>
            {says}
          </p>
          {todo && <p className={cn('text-sm', name ? 'mt-0.5' : 'text-(--quiet)')}>{todo}</p>}
        </div>
      </div>
      {children}
    </li>
  )
}

/** By the finding, or by the check; the rest is mended on the server. */
const ways: Partial<Record<string, () => void>> = {
  settings_lost: () => openSettings('all'),
  address_missing: () => openSettings('address'),
  address_plain: () => openSettings('address'),
  backups_here_only: () => openSettings('offsite'),
  mail_off: () => openSettings('mail'),
  backups: () => goTo('05'),
  photos: () => goTo('05'),
  mail: goToMail,
  accounts: () => goTo('04'),
}

/** Leads to where it is mended in the panel. */
function Mend({ check: { check, finding } }: { check: SiteCheck }) {
  const t = useCheckTexts()
  const { accounts } = useAdminTexts()
  const [changing, setChanging] = useState(false)
  const go = ways[finding] ?? ways[check]
  if (check === 'demo') {
    return (
      <>
        <Button size="small" className="max-sm:ml-8" onClick={() => setChanging(true)}>
          {accounts.change}
        </Button>
        {changing && <LazyDialog part="ChangePassword" props={{ onClose: () => setChanging(false) }} />}
      </>
    )
  }
  if (!go) return null
  return (
    <Button size="small" className="max-sm:ml-8" aria-label={t.showOf(t.names[check])} onClick={go}>
      {t.show}
    </Button>
  )
}
