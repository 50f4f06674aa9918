import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronRight, Inbox } from 'lucide-react'
import { type MouseEvent, useReducer, useRef } from 'react'
import { type Contact, type listContacts, projectTypeName } from '#contract/contacts.admin.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton, RefreshButton } from '../../ui/icon-button.tsx'
import { Block, LeftBehind } from '../block.tsx'
import { readAgain } from '../changes.ts'
import { ListStates } from '../list.tsx'
import { useNotices } from '../notices.ts'
import { overviewQuery } from '../overview-calls.ts'
import { useIsOwner } from '../session.ts'
import { dateIn, useAdminTexts } from '../texts.ts'
import { answerTime, previewOf, recentCount } from './contact.rules.ts'
import { countsAndLists, newsQuery, recentQuery } from './contact-calls.ts'
import { MailPart } from './mail-part.tsx'
import type { Opened } from './manage-contacts.tsx'
import { unsentReplies, waitingReply } from './unsent.ts'

type RecentContact = ReplyOf<typeof listContacts>[number]

type Props = {
  className: string
  onOpen(opened: Opened): void
}

export function ContactsBlock({ className, onOpen }: Props) {
  const t = useAdminTexts()
  const contacts = useQuery(recentQuery)
  const isOwner = useIsOwner()
  const openOne = (id: string) => onOpen({ id })
  return (
    <Block
      number="02"
      title={t.messages.title}
      className={className}
      actions={
        <>
          <Button icon={Inbox} onClick={() => onOpen({ filter: 'all' })}>
            {t.messages.manageAll}
          </Button>
          <RefreshMessages className="max-sm:flex-none!" />
        </>
      }
    >
      <HalfWritten onOpen={openOne} />
      <ListStates query={contacts} words={t.messages}>
        {(recent) => <Recent contacts={recent} onOpen={openOne} />}
      </ListStates>
      {isOwner && <MailPart onOpen={openOne} />}
    </Block>
  )
}

/** An unsent reply, left when the dialog or the page was closed. */
function HalfWritten({ onOpen }: { onOpen(id: string): void }) {
  const { reply: t } = useAdminTexts().contacts
  const [, lookAgain] = useReducer((looks: number) => looks + 1, 0)
  const reply = waitingReply()
  if (!reply) return null
  const discard = () => {
    unsentReplies.drop(reply.id)
    lookAgain()
  }
  return <LeftBehind sentence={t.waiting(reply.name)} goOn={t.continue} onGoOn={() => onOpen(reply.id)} onDiscard={discard} />
}

function Recent({ contacts, onOpen }: { contacts: RecentContact[]; onOpen(id: string): void }) {
  const t = useAdminTexts()
  const { data: overview } = useQuery(overviewQuery)
  const all = overview?.contacts ?? 0
  return (
    <>
      <ul className="max-md:in-data-short:*:nth-[n+4]:hidden">
        {contacts.map((contact) => (
          <RecentRow key={contact.id} contact={contact} onOpen={onOpen} />
        ))}
      </ul>
      {all > recentCount && (
        <p className="mt-4 text-sm text-(--quiet) max-md:in-data-short:hidden">
          <span className="font-medium text-ink">{t.messages.showing(recentCount, all)}</span>
          {'. '}
          {t.messages.showingHint(t.messages.manageAll)}
        </p>
      )}
    </>
  )
}

/** A click anywhere on the row opens the contact, unless text is selected; the keyboard has the button. */
function RecentRow({ contact, onOpen }: { contact: RecentContact; onOpen(id: string): void }) {
  const t = useAdminTexts()
  const open = useRef<HTMLButtonElement>(null)
  const openByRow = ({ target }: MouseEvent) => {
    if (open.current?.contains(target as Node) || getSelection()?.isCollapsed === false) return
    // So that the focus returns to the button when the dialog closes.
    open.current?.focus({ preventScroll: true })
    onOpen(contact.id)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the button.
    <li
      onClick={openByRow}
      className="-mx-3 flex cursor-pointer items-center gap-1 border-b border-(--line) py-3 pr-1 pl-3 md:py-4 transition-colors hover:bg-(--raised)"
    >
      <div className="min-w-0 flex-1">
        <ContactHead contact={contact} />
        <p className="mt-2 text-[0.9375rem] wrap-anywhere">{previewOf(contact.message)}</p>
      </div>
      <IconButton
        icon={ChevronRight}
        ref={open}
        label={t.messages.open(contact.name)}
        tip={t.messages.openTip}
        onClick={() => onOpen(contact.id)}
      />
    </li>
  )
}

/** Of a message or of a row of the recent ones. */
type Headed = Pick<Contact, 'name' | 'email' | 'createdAt' | 'projectType'> & { state?: Contact['state'] | undefined }

export function ContactHead({ contact }: { contact: Headed }) {
  const t = useAdminTexts()
  const { name, email, createdAt, projectType } = contact
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="text-[1.1875rem] leading-snug wrap-anywhere">{name}</h3>
        {projectType && <Badge>{projectTypeName(t.projectTypes, projectType)}</Badge>}
        {contact.state && <StateBadge state={contact.state} createdAt={createdAt} />}
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm text-(--quiet)">
        <p className="wrap-anywhere">{email}</p>
        <p className="font-mono text-[0.8125rem]">
          {createdAt ? <time dateTime={createdAt}>{dateIn(t, createdAt, 'minute')}</time> : t.messages.noDate}
        </p>
      </div>
    </>
  )
}

const tones = { answered: 'done', quoted: 'done', closed: 'plain', spam: 'warning' } as const

/** The time left to answer a new message; the state of any other. */
function StateBadge({ state, createdAt }: Pick<Contact, 'state' | 'createdAt'>) {
  const { contacts: t } = useAdminTexts()
  const { data: news } = useQuery(newsQuery)
  if (state !== 'new') return <Badge tone={tones[state]}>{t.states[state]}</Badge>
  if (!news || !createdAt) return <Badge tone="accent">{t.states.new}</Badge>
  const { isOverdue, isUrgent, span } = answerTime(createdAt, news.now)
  if (isOverdue) return <Badge tone="danger">{t.overdue(span)}</Badge>
  return <Badge tone={isUrgent ? 'urgent' : 'accent'}>{t.left(span)}</Badge>
}

/** For sites behind a proxy that buffers the server's events. */
export function RefreshMessages({ className }: { className?: string }) {
  const { messages: t } = useAdminTexts()
  const cache = useQueryClient()
  const notices = useNotices()
  const isFetching = useIsFetching(newsQuery) > 0
  const refresh = async () => {
    await readAgain(cache, countsAndLists)
    // The lists keep their data and show no error.
    if (cache.getQueryState(newsQuery.queryKey)?.status === 'error') notices.fail(t.failed)
  }
  return (
    <RefreshButton label={t.refresh} tip={t.refreshTip} isFetching={isFetching} onRefresh={refresh} className={className} />
  )
}
