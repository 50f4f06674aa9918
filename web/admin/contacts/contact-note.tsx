import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { contactLimits } from '#contract/contact-fields.ts'
import type { Contact } from '#contract/contacts.admin.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { ActionError, withReason } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { isNoteChanged, useChangeContact } from './contact-calls.ts'
import { unsavedNotes } from './unsent.ts'

type Props = { contact: Contact; onEdit(): void }

/** The private note. `data-note` marks the button that opens its editor. */
export function ContactNote({ contact: { name, note }, onEdit }: Props) {
  const { note: t } = useAdminTexts().contacts
  return (
    <div className="mt-4 flex items-start gap-2 border-l-2 border-brass bg-brass/10 pl-4">
      <div className="min-w-0 flex-1 py-2.5">
        <p className="lettering text-(--quiet)">{t.title}</p>
        <p className="mt-1 text-[0.9375rem] whitespace-pre-line wrap-anywhere">{note}</p>
      </div>
      <Button tone="quiet" data-note="" aria-label={t.editOf(name)} onClick={onEdit}>
        {t.edit}
      </Button>
    </div>
  )
}

export function NoteEditor({ contact, onClose }: { contact: Contact; onClose(): void }) {
  const admin = useAdminTexts()
  const { note: t } = admin.contacts
  const notices = useNotices()
  const save = useChangeContact(contact)
  const [unsent] = useState(() => unsavedNotes.read(contact.id))
  const [text, setText] = useState(unsent?.text ?? contact.note ?? '')
  // Not the present note: a change saved in another tab would be overwritten without a conflict.
  const [was, setWas] = useState(unsent ? unsent.was : contact.note)
  const isConflict = !save.isSuccess && (isNoteChanged(save.error) || was !== contact.note)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!unsent) form.current?.scrollIntoView({ block: 'nearest' })
  }, [unsent])

  const type = (next: string) => {
    setText(next)
    unsavedNotes.keep({ was, text: next }, contact.id)
  }
  const close = () => {
    const card = form.current?.closest('li')
    unsavedNotes.drop(contact.id)
    flushSync(onClose)
    card?.querySelector<HTMLElement>('[data-note]')?.focus({ preventScroll: true })
  }
  const send = (from: string | null) => {
    if (save.isPending) return
    save.mutate(
      { note: text, was: from },
      {
        onSuccess: ({ note }) => {
          notices.done(note === null ? t.removed : t.saved)
          close()
        },
        onError: (error) => notices.failed(error, isNoteChanged(error) ? t.changed : t.failed),
      },
    )
  }
  const overwrite = () => {
    setWas(contact.note)
    unsavedNotes.keep({ was: contact.note, text }, contact.id)
    send(contact.note)
  }
  return (
    <form
      ref={form}
      noValidate
      className="mt-4 grid gap-3 border-l-2 border-brass bg-brass/10 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        send(was)
      }}
    >
      <Field label={t.title} hint={t.hint}>
        {(field) => (
          <Textarea
            {...field}
            autoFocus={!unsent}
            value={text}
            maxLength={contactLimits.message}
            onChange={(event) => type(event.currentTarget.value)}
            className="min-h-24 [field-sizing:content]"
          />
        )}
      </Field>
      {isConflict ? (
        <ActionError>
          <p>{t.changed}</p>
          <p className="mt-1">{contact.note === null ? t.savedRemoved : `${t.savedVersion} ${contact.note}`}</p>
        </ActionError>
      ) : (
        save.error && <ActionError>{withReason(t.failed, save.error, admin)}</ActionError>
      )}
      <div className="flex flex-wrap gap-2 max-sm:*:flex-auto">
        {isConflict ? (
          <>
            <Button disabled={save.isPending} onClick={overwrite}>
              {save.isPending ? t.saving : t.overwrite}
            </Button>
            <Button tone="quiet" onClick={close}>
              {t.keepSaved}
            </Button>
          </>
        ) : (
          <>
            <Button type="submit" disabled={save.isPending}>
              {save.isPending ? t.saving : t.save}
            </Button>
            <Button tone="quiet" disabled={save.isPending} onClick={close}>
              {admin.common.cancel}
            </Button>
          </>
        )}
      </div>
    </form>
  )
}
