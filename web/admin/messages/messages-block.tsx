import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import type { ContactMessage } from '#contract/contacts.admin.ts'
import { Button } from '../../ui/button.tsx'
import { Block } from '../block.tsx'
import { ListStates } from '../list-states.tsx'
import { useAdminTexts } from '../texts.ts'
import { ManageMessages } from './manage-messages.tsx'
import { previewOf, recentCount } from './message.rules.ts'
import { contactsQuery } from './message-calls.ts'
import { MessageHead } from './message-head.tsx'

export function MessagesBlock({ className }: { className: string }) {
  const t = useAdminTexts()
  const messages = useQuery(contactsQuery)
  const [managing, setManaging] = useState(false)
  return (
    <Block
      number="02"
      title={t.messages.title}
      className={className}
      actions={
        <Button size="small" onClick={() => setManaging(true)}>
          <Inbox aria-hidden />
          {t.messages.manageAll}
        </Button>
      }
    >
      <ListStates query={messages} loading={t.messages.loading} failed={t.messages.failed} empty={t.messages.empty}>
        {(all) => <Recent messages={all} />}
      </ListStates>
      {managing && <ManageMessages onClose={() => setManaging(false)} />}
    </Block>
  )
}

function Recent({ messages }: { messages: ContactMessage[] }) {
  const t = useAdminTexts()
  const recent = messages.slice(0, recentCount)
  return (
    <>
      <ul>
        {recent.map((message) => (
          <li key={message.id} className="border-b border-(--line) py-4">
            <MessageHead message={message} />
            <p className="mt-2 text-[0.9375rem] wrap-anywhere">{previewOf(message.message)}</p>
          </li>
        ))}
      </ul>
      {messages.length > recentCount && (
        <p className="mt-4 text-sm text-(--quiet)">
          <span className="font-medium text-ink">{t.messages.showing(recentCount, messages.length)}</span>
          {'. '}
          {t.messages.showingHint(t.messages.manageAll)}
        </p>
      )}
    </>
  )
}
