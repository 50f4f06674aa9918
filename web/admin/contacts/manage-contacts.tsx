import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Reply, Trash2 } from 'lucide-react'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import type { ContactMessage } from '#contract/contacts.admin.ts'
import { placeOf } from '#contract/places.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ActionError } from '../action-error.tsx'
import { withReason } from '../failures.ts'
import { ListStates } from '../list-states.tsx'
import { useNotices } from '../notices.ts'
import { overviewQuery } from '../overview-calls.ts'
import { useAdminTexts } from '../texts.ts'
import { contactPagesQuery, useDeleteContact, useDeleteContacts } from './contact-calls.ts'
import { ContactHead } from './contact-head.tsx'
import {
  countSelected,
  everything,
  isSelected,
  nothing,
  rangeOf,
  type Selection,
  withoutId,
  withTicked,
} from './selection.rules.ts'

type Props = {
  /** The id of the contact that is to be seen first. */
  openAt: string | undefined
  onClose(): void
}

export function ManageContacts({ openAt, onClose }: Props) {
  const t = useAdminTexts()
  const list = useInfiniteQuery(contactPagesQuery)
  const { data: overview } = useQuery(overviewQuery)
  const [deleting, setDeleting] = useState<ContactMessage>()
  const [selection, setSelection] = useState(nothing)
  const contacts = list.data?.pages.flat()
  const all = Math.max(overview?.contacts ?? 0, contacts?.length ?? 0)
  const selected = countSelected(selection, all)
  const clear = () => setSelection(nothing)
  const forget = (id: string) => setSelection((before) => withoutId(before, id))
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
        <ListStates
          query={{ ...list, data: contacts }}
          loading={t.messages.loading}
          failed={t.messages.failed}
          empty={t.messages.empty}
        >
          {(loaded) => (
            <>
              <SelectAll contacts={loaded} all={all} selected={selected} onSelect={setSelection} />
              <ContactList
                contacts={loaded}
                openAt={openAt}
                selection={selection}
                onSelect={setSelection}
                onDelete={setDeleting}
              />
              {list.hasNextPage && <EndOfList key={loaded.length} list={list} />}
            </>
          )}
        </ListStates>
      </DialogBody>
      <DeleteSelected selection={selection} count={selected} onClear={clear} />
      <DeleteContact contact={deleting} onDeleted={forget} onClose={() => setDeleting(undefined)} />
    </Dialog>
  )
}

type SelectAllProps = { contacts: ContactMessage[]; all: number; selected: number; onSelect(selection: Selection): void }

/** Means those that are not loaded yet as well, and none that arrives from now on. */
function SelectAll({ contacts, all, selected, onSelect }: SelectAllProps) {
  const t = useAdminTexts()
  const [newest] = contacts
  const some = selected > 0 && selected < all
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  return (
    <label className="-ml-3 flex min-h-11 w-fit cursor-pointer items-center pt-2 pr-3 text-[0.9375rem] select-none">
      <span className="grid size-11 shrink-0 place-items-center">
        <input
          ref={box}
          type="checkbox"
          checked={selected > 0 && !some}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked && newest ? everything(placeOf(newest)) : nothing)}
          className="size-5 accent-ink"
        />
      </span>
      {t.messages.selectAll(all)}
    </label>
  )
}

type ListProps = {
  contacts: ContactMessage[]
  openAt: string | undefined
  selection: Selection
  onSelect(change: (selection: Selection) => Selection): void
  onDelete(contact: ContactMessage): void
}

function ContactList({ contacts, openAt, selection, onSelect, onDelete }: ListProps) {
  const rows = useRef<string[]>([])
  useEffect(() => {
    rows.current = contacts.map(({ id }) => id)
  }, [contacts])
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const index = rows.current.indexOf(openAt ?? '')
    const row = list.current?.children[index]
    if (!(row instanceof HTMLElement)) return
    // Later, because the dialog first takes the focus itself, and remembers where it was.
    const frame = requestAnimationFrame(() => {
      row.focus({ preventScroll: true })
      row.scrollIntoView({ block: 'start' })
    })
    return () => cancelAnimationFrame(frame)
  }, [openAt])
  const lastTicked = useRef<string>(undefined)
  // The same for all rows, so that a tick draws one row and not thousands.
  const tick = useCallback(
    (id: string, ticked: boolean, range: boolean) => {
      const changed = range ? rangeOf(rows.current, lastTicked.current, id) : [id]
      lastTicked.current = id
      onSelect((before) => withTicked(before, changed, ticked))
    },
    [onSelect],
  )
  return (
    <ul ref={list}>
      {contacts.map((contact) => (
        <ContactRow
          key={contact.id}
          contact={contact}
          opened={contact.id === openAt}
          selected={isSelected(selection, contact.id)}
          onTick={tick}
          onDelete={onDelete}
        />
      ))}
    </ul>
  )
}

type RowProps = {
  contact: ContactMessage
  opened: boolean
  selected: boolean
  onTick(id: string, ticked: boolean, range: boolean): void
  onDelete(contact: ContactMessage): void
}

const ContactRow = memo(({ contact, opened, selected, onTick, onDelete }: RowProps) => {
  const t = useAdminTexts()
  return (
    // `content-visibility` clips what stands out of a row (focus rings): hence the padding at its sides.
    <li
      tabIndex={opened ? -1 : undefined}
      className="-mx-4 px-4 outline-none focus:bg-brass/10 [contain-intrinsic-size:auto_12rem] [content-visibility:auto]"
    >
      <div className="flex border-b border-(--line) py-5">
        <label className="-mt-2 -ml-3 grid size-11 shrink-0 cursor-pointer place-items-center select-none">
          <input
            type="checkbox"
            aria-label={t.messages.select(contact.name)}
            checked={selected}
            onChange={({ currentTarget, nativeEvent }) =>
              onTick(contact.id, currentTarget.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
            }
            className="size-5 accent-ink"
          />
        </label>
        <div className="min-w-0 flex-1 pl-1">
          <ContactHead contact={contact} />
          <p className="mt-3 whitespace-pre-line wrap-anywhere">{contact.message}</p>
          <div className="mt-2 -mb-2 flex items-center justify-between">
            <a
              href={`mailto:${encodeURIComponent(contact.email)}`}
              aria-label={t.messages.reply(contact.name)}
              className={`${buttonClasses({ tone: 'quiet', size: 'small' })} -ml-4`}
            >
              <Reply aria-hidden />
              {t.messages.replyShort}
            </a>
            <IconButton
              label={t.messages.delete(contact.name)}
              tip={t.messages.deleteTip}
              onClick={() => onDelete(contact)}
              className="hover:text-oxide"
            >
              <Trash2 aria-hidden />
            </IconButton>
          </div>
        </div>
      </div>
    </li>
  )
})

type Pages = { isFetching: boolean; isFetchNextPageError: boolean; fetchNextPage(): unknown }

/** Asks for the next page when it comes into sight; a page that did not arrive is asked for by hand. */
function EndOfList({ list }: { list: Pages }) {
  const t = useAdminTexts()
  const { isFetching, isFetchNextPageError, fetchNextPage } = list
  const end = useRef<HTMLDivElement>(null)
  const waiting = !isFetching && !isFetchNextPageError
  useEffect(() => {
    if (!waiting) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && fetchNextPage(),
      { rootMargin: '600px' },
    )
    if (end.current) observer.observe(end.current)
    return () => observer.disconnect()
  }, [waiting, fetchNextPage])
  return (
    <div ref={end} className="py-6 text-center text-sm text-(--quiet)">
      {isFetchNextPageError && !isFetching ? (
        <>
          <p role="alert" className="mb-3 text-(--danger)">
            {t.common.moreFailed}
          </p>
          <Button size="small" onClick={fetchNextPage}>
            {t.common.retry}
          </Button>
        </>
      ) : (
        t.messages.more
      )}
    </div>
  )
}

type DeleteSelectedProps = { selection: Selection; count: number; onClear(): void }

/** Shown while something is ticked. The question keeps its number while the list is read again. */
function DeleteSelected({ selection, count, onClear }: DeleteSelectedProps) {
  const t = useAdminTexts()
  const notices = useNotices()
  const remove = useDeleteContacts()
  const [asking, setAsking] = useState<number>()
  const close = () => {
    remove.reset()
    setAsking(undefined)
  }
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
      {count > 0 && (
        <DialogActions>
          <p role="status" className="mr-auto self-center font-medium max-sm:min-w-full">
            {t.messages.selected(count)}
          </p>
          <Button size="small" onClick={onClear}>
            {t.messages.clear}
          </Button>
          <Button tone="danger" size="small" className="max-sm:px-2 max-sm:[&_svg]:hidden" onClick={() => setAsking(count)}>
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
        text={t.messages.deleteManyText(asking ?? count)}
        cancelLabel={t.common.cancel}
        confirmLabel={remove.isPending ? t.common.deleting : t.common.delete}
        busy={remove.isPending}
      >
        {remove.error && <ActionError>{withReason(t.messages.deleteManyFailed, remove.error, t)}</ActionError>}
      </ConfirmDialog>
    </>
  )
}

type DeleteContactProps = { contact: ContactMessage | undefined; onDeleted(id: string): void; onClose(): void }

function DeleteContact({ contact, onDeleted, onClose }: DeleteContactProps) {
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
