import { useQuery } from '@tanstack/react-query'
import { Check, Copy, Mail, Send, SquareArrowOutUpRight } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { contactLimits } from '#contract/contact-fields.ts'
import { type Contact, replyText } from '#contract/contacts.admin.ts'
import { defaultLanguage } from '#contract/languages.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { ActionError, withReason } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { letterIn, useAdminTexts, useTimeZone } from '../texts.ts'
import { mailsQuery, useMark, useReply } from './contact-calls.ts'
import { letterAddress, preparedLetter } from './reply.rules.ts'
import { unsentReplies } from './unsent.ts'

type Props = {
  contact: Contact
  /** Opened by a click: the text field takes the focus. */
  takesFocus: boolean
  onClose(): void
  /** Discarding was undone. */
  onReturn(): void
}

/**
 * A reply in the visitor's language. The text stays in the tab's storage until it is sent or discarded. Without a mail server
 * it is sent by another program, and only the maker knows whether it was.
 */
export function ReplyBox({ contact, takesFocus, onClose, onReturn }: Props) {
  const admin = useAdminTexts()
  const { reply: t } = admin.contacts
  const { id, name, email } = contact
  const language = contact.language ?? defaultLanguage
  const { brand } = useLanguage().maker
  const timeZone = useTimeZone()
  const notices = useNotices()
  const reply = useReply(contact)
  const { mark } = useMark(contact)
  const { data: mails } = useQuery(mailsQuery)
  const canSend = Boolean(mails?.setUp)
  const [words] = useState(() => letterIn(language, brand))
  const [prepared] = useState(() => preparedLetter(contact, words, timeZone))
  const [{ replyId, text }, setUnsent] = useState(() => unsentReplies.read(id) ?? { replyId: newId(), text: prepared.text })
  const [fault, setFault] = useState<string>()
  const box = useRef<HTMLTextAreaElement>(null)
  const isWritten = text.trim() !== '' && text !== prepared.text

  const caret = prepared.above.length
  useEffect(() => {
    if (!takesFocus) return
    box.current?.focus({ preventScroll: true })
    box.current?.setSelectionRange(caret, caret)
    box.current?.form?.scrollIntoView({ block: 'nearest' })
  }, [takesFocus, caret])

  const hold = (next: string, as = replyId) => {
    const reply = { replyId: as, name, text: next }
    setUnsent(reply)
    if (next === prepared.text) unsentReplies.drop(id)
    else unsentReplies.keep(reply, id)
  }
  const type = (next: string) => {
    setFault(undefined)
    hold(next)
  }
  const finish = () => {
    unsentReplies.drop(id)
    onClose()
  }
  const discard = () => {
    finish()
    if (!isWritten) return
    const undo = () => {
      unsentReplies.keep({ replyId, name, text }, id)
      onReturn()
    }
    notices.done(t.discarded, { undo })
  }
  const wasSent = () => {
    finish()
    if (contact.state === 'new') mark('answered')
  }
  const send = async () => {
    if (reply.isPending) return
    if (!isWritten) {
      setFault(t.missing)
      return box.current?.focus()
    }
    const answered = await notices.attempt(reply.mutateAsync({ id: replyId, text }), t.failed)
    if (!answered) return
    const kept = answered.replies.find((each) => each.id === replyId)
    // Compared as the server stores it.
    if (!kept || kept.text === replyText.safeParse(text).data) {
      finish()
      return notices.done(t.done(name))
    }
    // The answer to an earlier text was lost on its way: the edited one is another reply.
    hold(text, newId())
    setFault(t.sentBefore)
  }
  return (
    <form
      noValidate
      className="mt-4 grid gap-3 border-l-2 border-ink bg-(--raised) p-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) void send()
        else wasSent()
      }}
    >
      <Field label={t.title(name)} hint={canSend ? t.to(email) : `${t.to(email)} ${t.subject(words.subject)}`} error={fault}>
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
      <ActionError>{reply.error && withReason(t.failed, reply.error, admin)}</ActionError>
      {!canSend && <OtherPrograms letter={{ email, subject: words.subject, text }} box={box} />}
      <div className="flex flex-wrap gap-2 max-sm:*:flex-auto">
        <Button icon={canSend ? Send : Check} type="submit" tone="brass" disabled={reply.isPending}>
          {canSend ? (reply.isPending ? t.sending : t.send) : t.iSentIt}
        </Button>
        <Button tone="quiet" disabled={reply.isPending} onClick={discard}>
          {isWritten ? t.discard : admin.common.cancel}
        </Button>
      </div>
    </form>
  )
}

type ProgramsProps = { letter: Parameters<typeof letterAddress>[1]; box: RefObject<HTMLTextAreaElement | null> }

/** The ways of a letter into the maker's own mail program. */
function OtherPrograms({ letter, box }: ProgramsProps) {
  const { reply: t, newTab } = useAdminTexts().contacts
  const notices = useNotices()
  const mailto = letterAddress('mailto', letter)
  const gmail = letterAddress('gmail', letter)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(letter.text)
    } catch {
      // There is no clipboard without https, or it is forbidden.
      box.current?.select()
      if (!document.execCommand('copy')) return notices.fail(t.copyFailed)
    }
    notices.done(t.copied)
  }
  return (
    <div className="grid gap-3 border-b border-(--line) pb-4">
      <div className="flex flex-wrap gap-2 max-sm:*:flex-auto">
        <a href={mailto.address} className={buttonClasses()}>
          <Mail />
          {t.openProgram}
        </a>
        <a href={gmail.address} target="_blank" rel="noreferrer" className={buttonClasses()}>
          <SquareArrowOutUpRight />
          {t.openGmail}
          <span className="sr-only"> {newTab}</span>
        </a>
        <Button icon={Copy} onClick={() => void copy()}>
          {t.copy}
        </Button>
      </div>
      <p className="text-sm text-(--quiet)">
        {mailto.isCut && `${t.cut} `}
        {t.untilSent}
      </p>
    </div>
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
