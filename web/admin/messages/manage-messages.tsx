import { useQuery } from '@tanstack/react-query'
import { Reply, Trash2 } from 'lucide-react'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import type { ContactMessage } from '#contract/contacts.admin.ts'
import { buttonLooks } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogBody } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ListStates } from '../list-states.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { contactsQuery, useDeleteMessage } from './message-calls.ts'
import { MessageHead } from './message-head.tsx'

export function ManageMessages({ onClose }: { onClose(): void }) {
  const t = useAdminTexts()
  const messages = useQuery(contactsQuery)
  const [deleting, setDeleting] = useState<ContactMessage>()
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.messages.manageTitle}
      description={t.messages.manageText}
      closeLabel={t.common.close}
      width="wide"
    >
      <DialogBody className="pt-0">
        <ListStates query={messages} loading={t.messages.loading} failed={t.messages.failed} empty={t.messages.empty}>
          {(all) => <MessageList messages={all} onDelete={setDeleting} />}
        </ListStates>
      </DialogBody>
      <DeleteMessage message={deleting} onClose={() => setDeleting(undefined)} />
    </Dialog>
  )
}

/** Rows drawn at first, and added whenever the end comes into sight: ten thousand are not drawn for the one that is read. */
const step = 60

type ListProps = { messages: ContactMessage[]; onDelete(message: ContactMessage): void }

function MessageList({ messages, onDelete }: ListProps) {
  const t = useAdminTexts()
  const [drawn, setDrawn] = useState(step)
  const drawMore = useCallback(() => setDrawn((count) => count + step), [])
  return (
    <>
      <ul>
        {messages.slice(0, drawn).map((message) => (
          <MessageRow key={message.id} message={message} onDelete={onDelete} />
        ))}
      </ul>
      {drawn < messages.length && <EndOfList key={drawn} label={t.messages.more} onSeen={drawMore} />}
    </>
  )
}

const MessageRow = memo(({ message, onDelete }: { message: ContactMessage; onDelete(message: ContactMessage): void }) => {
  const t = useAdminTexts()
  return (
    // What is out of sight is not drawn, and what stands out of a row would be cut off: hence the room at its sides.
    <li className="-mx-4 px-4 [contain-intrinsic-size:auto_12rem] [content-visibility:auto]">
      <div className="border-b border-(--line) py-5">
        <MessageHead message={message} />
        <p className="mt-3 whitespace-pre-line wrap-anywhere">{message.message}</p>
        <div className="mt-2 -mb-2 flex items-center justify-between">
          <a
            href={`mailto:${encodeURIComponent(message.email)}`}
            aria-label={t.messages.reply(message.name)}
            className={`${buttonLooks({ tone: 'quiet', size: 'small' })} -ml-4`}
          >
            <Reply aria-hidden />
            {t.messages.replyShort}
          </a>
          <IconButton
            label={t.messages.delete(message.name)}
            tip={t.messages.deleteTip}
            onClick={() => onDelete(message)}
            className="hover:text-oxide"
          >
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      </div>
    </li>
  )
})

function EndOfList({ label, onSeen }: { label: string; onSeen(): void }) {
  const end = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && onSeen(), {
      rootMargin: '600px',
    })
    if (end.current) observer.observe(end.current)
    return () => observer.disconnect()
  }, [onSeen])
  return (
    <p ref={end} className="py-6 text-center text-sm text-(--quiet)">
      {label}
    </p>
  )
}

function DeleteMessage({ message, onClose }: { message: ContactMessage | undefined; onClose(): void }) {
  const t = useAdminTexts()
  const notices = useNotices()
  const remove = useDeleteMessage()
  const confirm = () => {
    if (!message) return
    remove.mutate(message.id, {
      onSuccess: () => notices.done(t.messages.deleted),
      onError: (error) => notices.failed(error, t.messages.deleteFailed),
      onSettled: onClose,
    })
  }
  return (
    <ConfirmDialog
      open={message !== undefined}
      onCancel={onClose}
      onConfirm={confirm}
      title={t.messages.deleteTitle}
      text={message ? t.messages.deleteText(message.name) : ''}
      cancelLabel={t.common.cancel}
      confirmLabel={remove.isPending ? t.common.deleting : t.common.delete}
      busy={remove.isPending}
    />
  )
}
