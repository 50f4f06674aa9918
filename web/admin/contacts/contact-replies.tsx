import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, CircleHelp, Clock3, RotateCcw, Send, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { contactLimits } from '#contract/contact-fields.ts'
import { type Contact, type ContactReply, replyText } from '#contract/contacts.admin.ts'
import { defaultLanguage } from '#contract/languages.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Field, Textarea } from '../../ui/field.tsx'
import { ActionError, withReason } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { dateIn, letterIn, useAdminTexts } from '../texts.ts'
import { contactFollowed, useReply } from './contact-calls.ts'
import { useRetry } from './mail-calls.ts'
import { preparedLetter, sendingOf, withoutQuote } from './reply.rules.ts'
import { unsentReplies } from './unsent.ts'

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
    <Button size="small" aria-label={t.contacts.sending.retryOf(name)} disabled={isRetrying} onClick={() => retry(mailId)}>
      <RotateCcw aria-hidden />
      {t.common.retry}
    </Button>
  )
}

type Props = {
  contact: Contact
  /** Opened by a click: the text field takes the focus. */
  takesFocus: boolean
  onClose(): void
  /** Discarding was undone. */
  onReturn(): void
}

/** A reply in the visitor's language. The text stays in the tab's storage until it is sent or discarded. */
export function ReplyBox({ contact, takesFocus, onClose, onReturn }: Props) {
  const admin = useAdminTexts()
  const { reply: t, undo, undoHint } = admin.contacts
  const { id, name, email } = contact
  const language = contact.language ?? defaultLanguage
  const { brand } = useLanguage().maker
  const notices = useNotices()
  const reply = useReply(id)
  const [prepared] = useState(() => preparedLetter(contact, letterIn(language, brand)))
  const [unsent] = useState(() => unsentReplies.read(id))
  const [replyId, setReplyId] = useState(unsent?.replyId ?? newId)
  const [text, setText] = useState(unsent?.text ?? prepared.text)
  const [fault, setFault] = useState<string>()
  const [sentBefore, setSentBefore] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const isWritten = text.trim() !== '' && text !== prepared.text

  const caret = prepared.above.length
  useEffect(() => {
    if (!takesFocus) return
    box.current?.focus({ preventScroll: true })
    box.current?.setSelectionRange(caret, caret)
    box.current?.form?.scrollIntoView({ block: 'nearest' })
  }, [takesFocus, caret])

  const keep = (next: string, as = replyId) => {
    if (next === prepared.text) unsentReplies.drop(id)
    else unsentReplies.keep({ replyId: as, name, text: next }, id)
  }
  const type = (next: string) => {
    setText(next)
    setFault(undefined)
    keep(next)
  }
  const finish = () => {
    unsentReplies.drop(id)
    onClose()
  }
  const discard = () => {
    finish()
    if (!isWritten) return
    const giveBack = () => {
      unsentReplies.keep({ replyId, name, text }, id)
      onReturn()
    }
    notices.done(t.discarded, { action: { label: undo, hint: undoHint, run: giveBack } })
  }
  const send = async () => {
    if (reply.isPending) return
    if (!isWritten) {
      setFault(t.missing)
      return box.current?.focus()
    }
    try {
      const { replies } = await reply.mutateAsync({ id: replyId, text })
      const kept = replies.find((each) => each.id === replyId)
      // Compared as the server stores it.
      if (!kept || kept.text === replyText.safeParse(text).data) {
        finish()
        return notices.done(t.done(name))
      }
      // The server has an earlier text under this id: the edited one needs another.
      const next = newId()
      setReplyId(next)
      keep(text, next)
      setSentBefore(true)
      notices.fail(t.sentBefore)
    } catch (error) {
      notices.failed(error, t.failed)
    }
  }
  return (
    <form
      noValidate
      className="mt-4 grid gap-3 border-l-2 border-ink bg-(--raised) p-4"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Field label={t.title(name)} hint={t.to(email)} error={fault}>
        {(field) => (
          <Textarea
            {...field}
            ref={box}
            lang={language}
            rows={9}
            value={text}
            maxLength={contactLimits.reply}
            readOnly={reply.isPending}
            onChange={(event) => type(event.currentTarget.value)}
            className="max-h-[60dvh] min-h-56 [field-sizing:content]"
          />
        )}
      </Field>
      {reply.error ? (
        <ActionError>{withReason(t.failed, reply.error, admin)}</ActionError>
      ) : (
        sentBefore && <ActionError>{t.sentBefore}</ActionError>
      )}
      <div className="flex flex-wrap gap-2 max-sm:*:flex-auto">
        <Button type="submit" tone="brass" size="small" disabled={reply.isPending}>
          <Send aria-hidden />
          {reply.isPending ? t.sending : t.send}
        </Button>
        <Button tone="quiet" size="small" disabled={reply.isPending} onClick={discard}>
          {isWritten ? t.discard : admin.common.cancel}
        </Button>
      </div>
    </form>
  )
}

/** A random UUID: `crypto.randomUUID` is missing without https. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
