import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, CircleHelp, Clock3, RotateCcw, TriangleAlert } from 'lucide-react'
import type { Contact, ContactReply } from '#contract/contacts.admin.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { dateIn, useAdminTexts } from '../texts.ts'
import { contactFollowed } from './contact-calls.ts'
import { useRetry } from './mail-calls.ts'
import { sendingOf, withoutQuote } from './reply.rules.ts'

/** The replies and the state of their mails, updated until each is delivered. */
export function ContactReplies({ contact }: { contact: Contact }) {
  const cache = useQueryClient()
  const isOnItsWay = contact.replies.some(({ mail }) => mail?.state === 'waiting')
  useQuery({ ...contactFollowed(cache, contact.id), enabled: isOnItsWay })
  return contact.replies.map((reply) => <Reply key={reply.id} reply={reply} name={contact.name} />)
}

const looks = {
  sent: { Icon: Check, line: 'border-verdigris', text: 'text-verdigris' },
  waiting: { Icon: Clock3, line: 'border-(--quiet)', text: 'text-(--quiet)' },
  failed: { Icon: TriangleAlert, line: 'border-oxide', text: 'font-medium text-oxide' },
  unknown: { Icon: CircleHelp, line: 'border-(--line)', text: 'text-(--quiet)' },
} as const

function Reply({ reply, name }: { reply: ContactReply; name: string }) {
  const t = useAdminTexts()
  const { sending: s, reply: r } = t.contacts
  const { sentAt, mail, createdAt } = reply
  const sending = sendingOf(reply)
  const { Icon, line, text } = looks[sending]
  const reason = mail?.lastError
  const sentence = {
    sent: s.sent(dateIn(t, sentAt ?? createdAt, 'minute')),
    waiting: reason ? s.waitingWhy(reason) : s.waiting,
    failed: s.failed(reason ?? s.noReason),
    unknown: s.unknown,
  }[sending]
  return (
    <div className={cn('mt-4 border-l-2 pl-4', line)}>
      <p className="lettering text-(--quiet)">{r.yours}</p>
      <p className="mt-1 text-[0.9375rem] whitespace-pre-line wrap-anywhere">{withoutQuote(reply.text)}</p>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-4">
        {/* Announced when it changes. */}
        <p role="status" className={cn('flex min-w-0 items-start gap-1.5 py-1 text-sm wrap-anywhere', text)}>
          <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
          {sentence}
        </p>
        {sending === 'failed' && mail && <Retry mailId={mail.id} name={name} />}
      </div>
    </div>
  )
}

function Retry({ mailId, name }: { mailId: string; name: string }) {
  const t = useAdminTexts()
  const { retry, isRetrying } = useRetry()
  return (
    <Button icon={RotateCcw} aria-label={t.contacts.sending.retryOf(name)} disabled={isRetrying} onClick={() => retry(mailId)}>
      {t.common.retry}
    </Button>
  )
}
