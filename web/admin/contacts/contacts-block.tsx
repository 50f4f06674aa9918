import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Inbox } from 'lucide-react'
import { type MouseEvent, useReducer, useRef } from 'react'
import type { listContacts } from '#contract/contacts.admin.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Block } from '../block.tsx'
import { LeftBehind } from '../left-behind.tsx'
import { ListStates } from '../list.tsx'
import { overviewQuery } from '../overview-calls.ts'
import { useIsOwner } from '../session.ts'
import { useAdminTexts } from '../texts.ts'
import { previewOf, recentCount } from './contact.rules.ts'
import { recentQuery } from './contact-calls.ts'
import { ContactHead } from './contact-head.tsx'
import { MailPart } from './mail-part.tsx'
import type { Opened } from './manage-contacts.tsx'
import { RefreshMessages } from './refresh-messages.tsx'
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
