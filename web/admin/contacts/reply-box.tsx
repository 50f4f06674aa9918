import { Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { contactLimits } from '#contract/contact-fields.ts'
import { type Contact, replyText } from '#contract/contacts.admin.ts'
import { defaultLanguage } from '#contract/languages.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { ActionError } from '../action-error.tsx'
import { withReason } from '../failures.ts'
import { useNotices } from '../notices.ts'
import { letterIn, useAdminTexts } from '../texts.ts'
import { useReply } from './contact-calls.ts'
import { newId } from './new-id.ts'
import { preparedLetter } from './reply.rules.ts'
import { dropUnsent, keepUnsent, readUnsent } from './unsent.ts'

type Props = {
  contact: Contact
  /** Asked for just now: the keyboard goes to where the maker writes. */
  isAskedFor: boolean
  onClose(): void
  /** After it was discarded, and that was undone. */
  onReturn(): void
}

/** A letter below the message, in the language of the visitor. What is written stays in the tab until it is sent or discarded. */
export function ReplyBox({ contact, isAskedFor, onClose, onReturn }: Props) {
  const admin = useAdminTexts()
  const { reply: t, undo, undoHint } = admin.contacts
  const { id, name, email } = contact
  const language = contact.language ?? defaultLanguage
  const { brand } = useLanguage().maker
  const notices = useNotices()
  const reply = useReply(id)
  const [prepared] = useState(() => preparedLetter(contact, letterIn(language, brand)))
  const [unsent] = useState(() => readUnsent('reply', id))
  const [replyId, setReplyId] = useState(unsent?.replyId ?? newId)
  const [text, setText] = useState(unsent?.text ?? prepared.text)
  const [fault, setFault] = useState<string>()
  const [sentBefore, setSentBefore] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const isWritten = text.trim() !== '' && text !== prepared.text

  const caret = prepared.above.length
  useEffect(() => {
    if (!isAskedFor) return
    box.current?.focus({ preventScroll: true })
    box.current?.setSelectionRange(caret, caret)
    box.current?.form?.scrollIntoView({ block: 'nearest' })
  }, [isAskedFor, caret])

  const keep = (next: string, as = replyId) => {
    if (next === prepared.text) dropUnsent('reply', id)
    else keepUnsent('reply', id, { replyId: as, name, text: next })
  }
  const type = (next: string) => {
    setText(next)
    setFault(undefined)
    keep(next)
  }
  const finish = () => {
    dropUnsent('reply', id)
    onClose()
  }
  const discard = () => {
    finish()
    if (!isWritten) return
    const giveBack = () => {
      keepUnsent('reply', id, { replyId, name, text })
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
      // As it is stored, without what nobody types.
      if (!kept || kept.text === replyText.safeParse(text).data) {
        finish()
        return notices.done(t.done(name))
      }
      // The answer to an earlier try was lost, and what was changed since is not in it.
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
