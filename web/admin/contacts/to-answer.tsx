import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ArrowRight, CircleCheck, Inbox } from 'lucide-react'
import type { ContactNews } from '#contract/contacts.admin.ts'
import { cn } from '../../ui/cn.ts'
import { ReadAgain } from '../list.tsx'
import { useAdminTexts } from '../texts.ts'
import { answerTime } from './contact.rules.ts'
import { newsQuery } from './contact-calls.ts'

/** How many messages wait for an answer, and the time left for the oldest. */
export function ToAnswer({ onOpen }: { onOpen(): void }) {
  const { contacts: t } = useAdminTexts()
  const query = useQuery(newsQuery)
  const { data: news } = query
  return (
    <div className="mt-5">
      {/* aria-live keeps it readable for screen readers while a dialog is open. */}
      <p aria-live="polite" className="sr-only">
        {news && news.arrivals > 0 && t.arrived(news.counts.new)}
      </p>
      <Waiting query={query} onOpen={onOpen} />
    </div>
  )
}

const looks = {
  calm: 'border-brass bg-(--raised) hover:bg-brass/10',
  urgent: 'border-oxide bg-oxide/5 text-oxide hover:bg-oxide/10',
  overdue: 'border-oxide bg-oxide text-bone hover:bg-oxide/90',
} as const

type Props = { query: UseQueryResult<ContactNews>; onOpen(): void }

function Waiting({ query, onOpen }: Props) {
  const { contacts: t } = useAdminTexts()
  const { data: news, isError } = query
  if (!news) {
    return isError ? (
      <ReadAgain query={query} failed={t.loadFailed} />
    ) : (
      <div aria-hidden="true" className="h-16 animate-pulse border-l-4 border-bone-line bg-(--raised)" />
    )
  }
  if (news.counts.new === 0 || !news.oldest) {
    return (
      <p className="flex min-h-11 items-center gap-2.5 text-verdigris">
        <CircleCheck className="size-5" strokeWidth={1.75} aria-hidden />
        {t.nothingToAnswer}
      </p>
    )
  }
  const time = answerTime(news.oldest, news.now)
  const look = time.isOverdue ? 'overdue' : time.isUrgent ? 'urgent' : 'calm'
  return (
    <button
      type="button"
      onClick={onOpen}
      data-look={look}
      className={cn(
        'flex min-h-16 w-full items-center gap-x-4 gap-y-1 border-l-4 px-4 py-3 text-left transition-colors sm:px-5',
        looks[look],
      )}
    >
      <Inbox className="size-6 shrink-0 max-sm:hidden" strokeWidth={1.5} aria-hidden />
      <span className="min-w-0 flex-1 font-display text-[1.375rem] leading-snug text-balance wrap-anywhere sm:text-2xl">
        {t.toAnswer(news.counts.new, time)}
      </span>
      <span className="flex shrink-0 items-center gap-2 text-sm font-medium max-sm:hidden">{t.answerThem}</span>
      <ArrowRight className="size-5 shrink-0" aria-hidden />
    </button>
  )
}
