import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '#contract/contacts.admin.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, DialogActions } from '../../ui/dialog.tsx'
import { ActionError, withReason } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { type Criteria, useDeleteContact, useDeleteContacts } from './contact-calls.ts'
import type { Selection } from './selection.rules.ts'
import { dropUnsent } from './unsent.ts'

type DeleteSelectedProps = {
  selection: Selection
  /** Undefined when all results of a search are selected: their number is not counted. */
  count: number | undefined
  criteria: Criteria
  onClear(): void
}

/** Shown while something is selected. The dialog keeps its number while the list is read again. */
export function DeleteSelected({ selection, count, criteria, onClear }: DeleteSelectedProps) {
  const t = useAdminTexts()
  const notices = useNotices()
  const remove = useDeleteContacts(criteria)
  const [asking, setAsking] = useState<string>()
  const close = () => {
    remove.reset()
    setAsking(undefined)
  }
  const ask = () =>
    setAsking(count === undefined ? t.contacts.deleteMatchingText(selection.ids.size) : t.messages.deleteManyText(count))
  const confirm = () =>
    remove.mutate(selection, {
      onSuccess: (deleted) => {
        notices.done(t.messages.deletedMany(deleted))
        onClear()
        close()
      },
      onError: (error) => notices.failed(error, t.messages.deleteManyFailed),
    })
  return (
    <>
      {count !== 0 && (
        <DialogActions>
          <p role="status" className="mr-auto self-center font-medium max-sm:min-w-full">
            {count === undefined ? t.contacts.allMatching : t.messages.selected(count)}
          </p>
          <Button size="small" onClick={onClear}>
            {t.messages.clear}
          </Button>
          <Button tone="danger" size="small" className="max-sm:px-2 max-sm:[&_svg]:hidden" onClick={ask}>
            <Trash2 aria-hidden />
            {t.messages.deleteSelected}
          </Button>
        </DialogActions>
      )}
      <ConfirmDialog
        open={asking !== undefined}
        onCancel={close}
        onConfirm={confirm}
        title={t.messages.deleteManyTitle}
        text={asking ?? ''}
        cancelLabel={t.common.cancel}
        confirmLabel={remove.isPending ? t.common.deleting : t.common.delete}
        busy={remove.isPending}
      >
        {remove.error && <ActionError>{withReason(t.messages.deleteManyFailed, remove.error, t)}</ActionError>}
      </ConfirmDialog>
    </>
  )
}

type DeleteContactProps = { contact: Contact | undefined; onDeleted(id: string): void; onClose(): void }

export function DeleteContact({ contact, onDeleted, onClose }: DeleteContactProps) {
  const t = useAdminTexts()
  const notices = useNotices()
  const remove = useDeleteContact()
  const close = () => {
    remove.reset()
    onClose()
  }
  const confirm = () => {
    if (!contact) return
    remove.mutate(contact.id, {
      onSuccess: () => {
        for (const kind of ['reply', 'note'] as const) dropUnsent(kind, contact.id)
        notices.done(t.messages.deleted)
        onDeleted(contact.id)
        close()
      },
      onError: (error) => notices.failed(error, t.messages.deleteFailed),
    })
  }
  return (
    <ConfirmDialog
      open={contact !== undefined}
      onCancel={close}
      onConfirm={confirm}
      title={t.messages.deleteTitle}
      text={contact ? t.messages.deleteText(contact.name) : ''}
      cancelLabel={t.common.cancel}
      confirmLabel={remove.isPending ? t.common.deleting : t.common.delete}
      busy={remove.isPending}
    >
      {remove.error && <ActionError>{withReason(t.messages.deleteFailed, remove.error, t)}</ActionError>}
    </ConfirmDialog>
  )
}
