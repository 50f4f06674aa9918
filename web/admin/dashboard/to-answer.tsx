import { useQuery } from '@tanstack/react-query'
import { ArrowRight, ChevronRight, CircleCheck, Inbox, UserRound } from 'lucide-react'
import { momentIn } from '#content/moments.ts'
import type { ContactNews } from '#contract/contacts.admin.ts'
import { cn } from '../../ui/cn.ts'
import { answerTime } from '../contacts/contact.rules.ts'
import { newsQuery, photoAddress } from '../contacts/contact-calls.ts'
import type { Opened } from '../contacts/manage-contacts.tsx'
import { ReadAgain } from '../list.tsx'
import { useAdminTexts, useBackupTexts, useTimeZone } from '../texts.ts'

type OnOpen = (opened: Opened) => void

/** How many messages wait for an answer, the first of them, and until when. */
export function ToAnswer({ onOpen }: { onOpen: OnOpen }) {
  const { contacts: t } = useAdminTexts()
  const { data: news } = useQuery(newsQuery)
  return (
    <div className="mt-5">
      {/* aria-live keeps it readable for screen readers while a dialog is open. */}
      <p aria-live="polite" className="sr-only">
        {news && news.arrivals > 0 && t.arrived(news.counts.new)}
      </p>
      <Waiting onOpen={onOpen} />
    </div>
  )
}

const looks = {
  calm: 'border-brass bg-(--raised) hover:bg-brass/10',
  urgent: 'border-oxide bg-oxide/5 text-oxide hover:bg-oxide/10',
  overdue: 'border-oxide bg-oxide text-bone hover:bg-oxide/90',
} as const

function Waiting({ onOpen }: { onOpen: OnOpen }) {
  const { contacts: t } = useAdminTexts()
  const query = useQuery(newsQuery)
  const { data: news, isError } = query
  if (!news) {
    return isError ? (
      <ReadAgain query={query} failed={t.loadFailed} />
    ) : (
      <div aria-hidden="true" className="h-16 animate-pulse border-l-4 border-bone-line bg-(--raised)" />
    )
  }
  const [first] = news.waiting
  if (news.counts.new === 0 || !first) {
    return (
      <p className="flex min-h-11 items-center gap-2.5 text-verdigris">
        <CircleCheck className="size-5" strokeWidth={1.75} />
        {t.nothingToAnswer}
      </p>
    )
  }
  const time = answerTime(first.createdAt, news.now)
  const look = time.isOverdue ? 'overdue' : time.isUrgent ? 'urgent' : 'calm'
  return (
    <>
      <button
        type="button"
        onClick={() => onOpen({ filter: 'new' })}
        data-look={look}
        className={cn(
          'flex min-h-14 w-full items-center gap-x-4 gap-y-1 border-l-4 px-4 py-2.5 text-left transition-colors sm:px-5',
          looks[look],
        )}
      >
        <Inbox className="size-6 shrink-0 max-sm:hidden" strokeWidth={1.5} />
        <span className="min-w-0 flex-1 font-display text-[1.375rem] leading-snug text-balance wrap-anywhere sm:text-2xl">
          {t.toAnswer(news.counts.new, time)}
        </span>
        <span className="flex shrink-0 items-center gap-2 text-sm font-medium max-sm:hidden">{t.answerThem}</span>
        <ArrowRight className="size-5 shrink-0" />
      </button>
      <ul
        aria-label={t.states.new}
        className="grid gap-px border border-t-0 border-(--line) bg-(--line) md:auto-cols-fr md:grid-flow-col"
      >
        {news.waiting.map((contact) => (
          <WaitingRow key={contact.id} contact={contact} now={news.now} onOpen={() => onOpen({ id: contact.id })} />
        ))}
      </ul>
    </>
  )
}

type RowProps = { contact: ContactNews['waiting'][number]; now: string; onOpen(): void }

function WaitingRow({ contact: { name, createdAt, photo }, now, onOpen }: RowProps) {
  const { contacts: t, locale } = useAdminTexts()
  const { at } = useBackupTexts().line
  const timeZone = useTimeZone()
  const { isOverdue, isUrgent, span, due } = answerTime(createdAt, now)
  const square = 'size-11 shrink-0 bg-bone-line object-cover'
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="flex size-full min-h-16 items-center gap-3 bg-(--raised) px-4 py-2 text-left transition-colors hover:bg-bone sm:px-5"
      >
        {photo ? (
          <img src={photoAddress(photo, 'small')} alt="" className={square} />
        ) : (
          <span aria-hidden="true" className={cn(square, 'grid place-items-center text-(--quiet)')}>
            <UserRound className="size-5" strokeWidth={1.5} />
          </span>
        )}
        <span className="min-w-0 flex-1">
          <span className="line-clamp-1 font-medium wrap-anywhere">{name}</span>
          <span className={cn('block text-sm', isUrgent ? 'font-medium text-oxide' : 'text-(--quiet)')}>
            {isOverdue ? t.overdue(span) : t.answerBy(momentIn({ locale, timeZone, now, at }, due))}
          </span>
        </span>
        <ChevronRight className="size-4 shrink-0 text-(--quiet)" />
      </button>
    </li>
  )
}
