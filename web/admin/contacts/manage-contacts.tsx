import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, Download } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Contact, exportContacts } from '#contract/contacts.admin.ts'
import { addressOf } from '../../api/call.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cn } from '../../ui/cn.ts'
import { Dialog, DialogBody } from '../dialog.tsx'
import { ListStates, SearchBox, useDebounced } from '../list.tsx'
import { useIsOwner } from '../session.ts'
import { useAdminTexts } from '../texts.ts'
import { useDownload } from '../use-download.ts'
import { countIn, type Filter, filters } from './contact.rules.ts'
import { type Criteria, contactPageQuery, contactQuery, criteriaOf, newsQuery, pageSize } from './contact-calls.ts'
import { ContactCard } from './contact-card.tsx'
import { RefreshMessages } from './contacts-block.tsx'
import { DeleteContact, DeleteSelected } from './delete-contacts.tsx'
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

/** Full height, so that buttons do not move when another list is longer or shorter. */
const wholeHeight = 'basis-[100dvh]'

/** What the dialog shows first: the messages of a state, or one message. */
export type Opened = { filter?: Filter; id?: string }

export function ManageContacts({ opened, onClose }: { opened: Opened; onClose(): void }) {
  const t = useAdminTexts()
  const [one, setOne] = useState(opened.id)
  return (
    <Dialog onClose={onClose} title={t.messages.manageTitle} description={t.messages.manageText} width="wide">
      {one === undefined ? (
        <Contacts first={opened.filter ?? 'all'} />
      ) : (
        <OneContact id={one} onLeave={() => setOne(undefined)} />
      )}
    </Dialog>
  )
}

/** One message, from a row of the dashboard or a link in a mail; it need not be on the first page. */
function OneContact({ id, onLeave }: { id: string; onLeave(): void }) {
  const t = useAdminTexts()
  const query = useQuery(contactQuery(id))
  const [deleting, setDeleting] = useState<Contact>()
  const contacts = query.data === undefined ? undefined : query.data ? [query.data] : []
  const list = useRef<HTMLUListElement>(null)
  const hasArrived = query.data !== undefined
  useEffect(() => {
    if (!hasArrived) return
    // In the next frame: the dialog first takes the focus, and stores where it was.
    const frame = requestAnimationFrame(() => {
      const written = list.current?.querySelector('textarea')
      if (written) written.focus()
      else list.current?.querySelector('li')?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [hasArrived])
  return (
    <DialogBody className={cn('pt-2', wholeHeight)}>
      <Button icon={ArrowLeft} tone="quiet" className="-ml-4" onClick={onLeave}>
        {t.contacts.all}
      </Button>
      <ListStates query={{ ...query, data: contacts }} words={{ ...t.messages, empty: t.contacts.gone }}>
        {(contacts) => (
          <ul ref={list}>
            {contacts.map((contact) => (
              <ContactCard key={contact.id} contact={contact} onDelete={setDeleting} />
            ))}
          </ul>
        )}
      </ListStates>
      {deleting && <DeleteContact contact={deleting} onDeleted={onLeave} onClose={() => setDeleting(undefined)} />}
    </DialogBody>
  )
}

/** The position in a list: the cursors of the pages before this one, and the selection. */
type Position = { of: string; places: readonly string[]; selection: Selection }

function Contacts({ first }: { first: Filter }) {
  const t = useAdminTexts()
  const [filter, setFilter] = useState(first)
  const [words, setWords] = useState('')
  const criteria = criteriaOf(filter, useDebounced(words))
  const of = JSON.stringify(criteria)
  const [position, setPosition] = useState<Position>({ of, places: [], selection: nothing })
  // Another list starts at its first page with nothing selected.
  const { places, selection } = position.of === of ? position : { places: [], selection: nothing }
  const [deleting, setDeleting] = useState<Contact>()
  const query = useQuery(contactPageQuery(criteria, places.at(-1)))
  const { data: page, isPlaceholderData } = query
  const { data: news } = useQuery(newsQuery)
  const isOwner = useIsOwner()

  const isWhole = places.length === 0 && page?.next === null && !isPlaceholderData
  const counted = criteria.search === undefined && news ? countIn(news.counts, filter) : undefined
  const all = isWhole ? page.contacts.length : counted
  const selected = countSelected(selection, all)
  const isAllSelected = selection.upTo !== undefined ? selection.ids.size === 0 : selected === all && selected !== 0
  const setSelection = (change: (before: Selection) => Selection) => setPosition({ of, places, selection: change(selection) })
  const lastTicked = useRef<string>(undefined)
  const tick = (id: string, ticked: boolean, isRange: boolean) => {
    const rows = page?.contacts.map((each) => each.id) ?? []
    const changed = isRange ? rangeOf(rows, lastTicked.current, id) : [id]
    lastTicked.current = id
    setSelection((before) => withTicked(before, changed, ticked))
  }
  const turnTo = (next: readonly string[]) => setPosition({ of, places: next, selection })
  const { list, awaitPage } = usePageTurn(isPlaceholderData ? undefined : page)
  const turn = (next: readonly string[]) => {
    awaitPage()
    turnTo(next)
  }
  // All messages of this page were deleted or have another state now.
  const isLeft = page?.contacts.length === 0 && places.length > 0 && !isPlaceholderData
  const goBack = useEffectEvent(() => turnTo(places.slice(0, -1)))
  useEffect(() => {
    if (isLeft) goBack()
  }, [isLeft])

  const before = places.length * pageSize
  const range = (count: number) => t.contacts.range(before + 1, before + count, all)
  const empty = criteria.search ? t.contacts.noMatch : filter === 'all' ? t.messages.empty : t.contacts.emptyIn[filter]
  return (
    <>
      <DialogBody className={cn('pt-4', wholeHeight)}>
        <FilterBar chosen={filter} onChoose={setFilter} />
        <div className="mt-3 flex gap-2">
          <SearchBox label={t.contacts.search} value={words} onChange={setWords} />
          {isOwner && <DownloadCsv criteria={criteria} />}
          <RefreshMessages className="h-12" />
        </div>
        {filter === 'spam' && <p className="mt-3 text-sm text-(--quiet)">{t.contacts.spamHint}</p>}
        <ListStates query={{ ...query, data: page?.contacts }} words={{ ...t.messages, empty }}>
          {(contacts) => (
            <>
              {isOwner && (
                // Those on other pages too, and none that arrive afterwards.
                <Checkbox
                  label={all === undefined ? t.contacts.selectMatching : t.messages.selectAll(all)}
                  checked={isAllSelected}
                  indeterminate={!isAllSelected && selected !== 0}
                  onChange={({ target }) =>
                    setSelection(() => (target.checked && page?.newest ? everything(page.newest) : nothing))
                  }
                  className="accent-ink"
                />
              )}
              <ul ref={list} tabIndex={-1} aria-label={range(contacts.length)} className="scroll-mt-4 outline-none">
                {contacts.map((contact) => (
                  <ContactCard
                    key={contact.id}
                    contact={contact}
                    onDelete={setDeleting}
                    tick={
                      isOwner ? (
                        <label className="-mt-2 -ml-3 grid size-11 shrink-0 cursor-pointer place-items-center select-none">
                          <input
                            type="checkbox"
                            aria-label={t.messages.select(contact.name)}
                            checked={isSelected(selection, contact.id)}
                            onChange={({ target, nativeEvent }) =>
                              tick(contact.id, target.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
                            }
                            className="size-5 accent-ink"
                          />
                        </label>
                      ) : undefined
                    }
                  />
                ))}
              </ul>
            </>
          )}
        </ListStates>
        {(places.length > 0 || page?.next) && (
          <nav aria-label={t.contacts.pages} className="mt-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <Button
              icon={ArrowLeft}
              disabled={places.length === 0 || query.isFetching}
              onClick={() => turn(places.slice(0, -1))}
            >
              {t.contacts.previous}
            </Button>
            <p role="status" className="lettering text-(--quiet) max-sm:order-first max-sm:basis-full max-sm:text-center">
              {page && range(page.contacts.length)}
            </p>
            <Button disabled={!page?.next || query.isFetching} onClick={() => page?.next && turn([...places, page.next])}>
              {t.contacts.next}
              <ArrowRight />
            </Button>
          </nav>
        )}
      </DialogBody>
      {isOwner && (
        <DeleteSelected
          selection={selection}
          count={selected}
          criteria={criteria}
          onClear={() => setSelection(() => nothing)}
        />
      )}
      {deleting && (
        <DeleteContact
          contact={deleting}
          onDeleted={(id) => setSelection((before) => withoutId(before, id))}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  )
}

/** After turning a page, scrolls to its beginning and moves the focus there. */
function usePageTurn(page: unknown) {
  const list = useRef<HTMLUListElement>(null)
  const isAwaited = useRef(false)
  useEffect(() => {
    if (!page || !isAwaited.current) return
    isAwaited.current = false
    list.current?.focus({ preventScroll: true })
    list.current?.scrollIntoView({ block: 'start' })
  }, [page])
  return {
    list,
    awaitPage() {
      isAwaited.current = true
    },
  }
}

/** The counts of all states; each is a button that filters the list. */
function FilterBar({ chosen, onChoose }: { chosen: Filter; onChoose(filter: Filter): void }) {
  const { contacts: t, locale } = useAdminTexts()
  const { data: news } = useQuery(newsQuery)
  const number = new Intl.NumberFormat(locale)
  return (
    <fieldset className="grid grid-cols-3 gap-px border border-(--line) bg-(--line) sm:grid-cols-6">
      <legend className="sr-only">{t.filter}</legend>
      {filters.map((filter) => (
        <button
          key={filter}
          type="button"
          aria-pressed={chosen === filter}
          onClick={() => onChoose(filter)}
          className="flex min-h-14 flex-col justify-center bg-(--raised) px-3 py-1.5 text-left text-[0.8125rem] leading-tight text-(--quiet) transition-colors hover:bg-bone aria-pressed:bg-ink aria-pressed:text-bone"
        >
          <span className={cn('font-mono text-base leading-tight', chosen === filter ? 'text-brass-light' : 'text-ink')}>
            {news ? number.format(countIn(news.counts, filter)) : '–'}
          </span>
          {/* Read out as two words, not one. */}
          <span className="sr-only"> </span>
          <span>{t.filters[filter]}</span>
        </button>
      ))}
    </fieldset>
  )
}

function DownloadCsv({ criteria }: { criteria: Criteria }) {
  const { contacts: t } = useAdminTexts()
  const { language } = useLanguage()
  const { href, onClick } = useDownload(addressOf(exportContacts, { query: { ...criteria, lang: language } }))
  return (
    <a href={href} onClick={onClick} download aria-label={t.download} className={cn(buttonClasses(), 'h-12 shrink-0')}>
      <Download />
      <span className="sm:hidden">{t.downloadShort}</span>
      <span className="max-sm:hidden">{t.download}</span>
    </a>
  )
}
