import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Contact } from '#contract/contacts.admin.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmCall } from '../confirm-call.tsx'
import { DialogActions } from '../dialog.tsx'
import { useAdminTexts } from '../texts.ts'
import { type Criteria, useDeleteContact, useDeleteContacts } from './contact-calls.ts'
import type { Selection } from './selection.rules.ts'
import { unsavedNotes, unsentReplies } from './unsent.ts'

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
  const remove = useDeleteContacts(criteria)
  const [asking, setAsking] = useState<string>()
  const ask = () =>
    setAsking(count === undefined ? t.contacts.deleteMatchingText(selection.ids.size) : t.messages.deleteManyText(count))
  return (
    <>
      {count !== 0 && (
        <DialogActions>
          <p role="status" className="mr-auto self-center font-medium max-sm:min-w-full">
            {count === undefined ? t.contacts.allMatching : t.messages.selected(count)}
          </p>
          <Button onClick={onClear}>{t.messages.clear}</Button>
          <Button icon={Trash2} tone="danger" className="max-sm:px-2 max-sm:[&_svg]:hidden" onClick={ask}>
            {t.messages.deleteSelected}
          </Button>
        </DialogActions>
      )}
      {asking !== undefined && (
        <ConfirmCall
          call={remove}
          input={selection}
          title={t.messages.deleteManyTitle}
          text={asking}
          failed={t.messages.deleteManyFailed}
          onDone={(deleted) => {
            onClear()
            return t.messages.deletedMany(deleted)
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}

type DeleteContactProps = { contact: Contact; onDeleted(id: string): void; onClose(): void }

export function DeleteContact({ contact: { id, name }, onDeleted, onClose }: DeleteContactProps) {
  const t = useAdminTexts()
  return (
    <ConfirmCall
      call={useDeleteContact()}
      input={id}
      title={t.messages.deleteTitle}
      text={t.messages.deleteText(name)}
      failed={t.messages.deleteFailed}
      onDone={() => {
        unsentReplies.drop(id)
        unsavedNotes.drop(id)
        onDeleted(id)
        return t.messages.deleted
      }}
      onClose={onClose}
    />
  )
}
