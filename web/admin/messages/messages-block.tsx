import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import type { ContactMessage } from '#contract/contacts.admin.ts'
import { Button } from '../../ui/button.tsx'
import { Block } from '../block.tsx'
import { ListStates } from '../list-states.tsx'
import { overviewQuery } from '../overview-calls.ts'
import { useAdminTexts } from '../texts.ts'
import { ManageMessages } from './manage-messages.tsx'
import { previewOf, recentCount } from './message.rules.ts'
import { recentQuery } from './message-calls.ts'
import { MessageHead } from './message-head.tsx'

export function MessagesBlock({ className }: { className: string }) {
  const t = useAdminTexts()
  const messages = useQuery(recentQuery)
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
        {(recent) => <Recent messages={recent} />}
      </ListStates>
      {managing && <ManageMessages onClose={() => setManaging(false)} />}
    </Block>
  )
}

function Recent({ messages }: { messages: ContactMessage[] }) {
  const t = useAdminTexts()
  const { data: overview } = useQuery(overviewQuery)
  const all = overview?.contacts ?? 0
  return (
    <>
      <ul>
        {messages.map((message) => (
          <li key={message.id} className="border-b border-(--line) py-4">
            <MessageHead message={message} />
            <p className="mt-2 text-[0.9375rem] wrap-anywhere">{previewOf(message.message)}</p>
          </li>
        ))}
      </ul>
      {all > recentCount && (
        <p className="mt-4 text-sm text-(--quiet)">
          <span className="font-medium text-ink">{t.messages.showing(recentCount, all)}</span>
          {'. '}
          {t.messages.showingHint(t.messages.manageAll)}
        </p>
      )}
    </>
  )
}
