import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  type ActivityEntry,
  type ActivityGroup,
  type ActivityKind,
  activityGroups,
  keptDays,
  listActivity,
  otherPersons,
} from '#contract/activity.ts'
import { call } from '../../api/call.ts'
import { Field, Select } from '../../ui/field.tsx'
import { Dialog, DialogBody } from '../dialog.tsx'
import { ListStates, ShowMore } from '../list.tsx'
import { useActivityTexts, useAdminTexts, useTimeZone } from '../texts.ts'
import { adminsQuery } from './account-calls.ts'

const pageSize = 50

type Filter = { person: string; group: ActivityGroup | '' }

export function ActivityDialog({ onClose }: { onClose(): void }) {
  const t = useActivityTexts()
  const { data: admins = [] } = useQuery(adminsQuery)
  const [filter, setFilter] = useState<Filter>({ person: '', group: '' })
  const { person, group } = filter
  const list = useInfiniteQuery({
    queryKey: [listActivity.path, person, group],
    queryFn: ({ pageParam: after }) => {
      const limit = String(pageSize)
      return call(listActivity, {
        query: { limit, ...(after && { after }), ...(person && { person }), ...(group && { group }) },
      })
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Read anew whenever it is opened: nothing tells what others do.
    staleTime: 0,
  })
  const entries = list.data?.pages.flatMap((page) => page.entries)
  const persons = admins.map(({ id, username }) => [id, username] as const)
  const others = otherPersons.map((each) => [each, t.others[each]] as const)
  const groups = activityGroups.map((each) => [each, t.groups[each]] as const)
  const isFiltered = person !== '' || group !== ''
  return (
    <Dialog onClose={onClose} title={t.title} description={t.text(keptDays)} width="wide">
      <div className="grid shrink-0 grid-cols-2 gap-3 border-b border-(--line) px-5 py-3 sm:px-8">
        <Field label={t.person}>
          {(slot) => (
            <Select
              {...slot}
              value={person}
              onChange={({ target }) => setFilter({ ...filter, person: target.value })}
              options={[['', t.everyone], ...persons, ...others]}
            />
          )}
        </Field>
        <Field label={t.group}>
          {(slot) => (
            <Select
              {...slot}
              value={group}
              onChange={({ target }) => setFilter({ ...filter, group: target.value as ActivityGroup | '' })}
              options={[['', t.everything], ...groups]}
            />
          )}
        </Field>
      </div>
      <DialogBody className="pt-0">
        <ListStates query={{ ...list, data: entries }} words={{ ...t, empty: isFiltered ? t.noMatch : t.empty }}>
          {(shown) => (
            <>
              <Ledger entries={shown} pages={list.data?.pages.length ?? 0} />
              <ShowMore list={list} shown={shown.length} label={t.more} />
            </>
          )}
        </ListStates>
      </DialogBody>
    </Dialog>
  )
}

function Ledger({ entries, pages }: { entries: readonly ActivityEntry[]; pages: number }) {
  const t = useActivityTexts()
  const { locale } = useAdminTexts()
  const timeZone = useTimeZone()
  const dayFormat = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'full' })
  const timeFormat = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short', hourCycle: 'h23' })
  const sentenceOf = ({ account, kind, ...values }: ActivityEntry) => {
    const say = Object.hasOwn(t.kinds, kind) ? t.kinds[kind as ActivityKind] : t.unknown
    return say({ who: account ?? undefined, ...values })
  }
  const dated = entries.map((entry) => ({ entry, day: dayFormat.format(new Date(entry.at)) }))
  const days = new Set(dated.map(({ day }) => day))
  const first = entries[(pages - 1) * pageSize]?.id
  const ledger = useRef<HTMLDivElement>(null)
  // The button may have disappeared: the first of the new entries takes the focus.
  useEffect(() => {
    if (pages > 1) ledger.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [pages])
  return (
    <div ref={ledger}>
      {[...days].map((day) => (
        <section key={day}>
          <h3 className="lettering sticky top-0 border-b border-(--line) bg-bone pt-5 pb-2 text-(--accent)">{day}</h3>
          <ol>
            {dated
              .filter((each) => each.day === day)
              .map(({ entry, entry: { id, at } }) => (
                <li
                  key={id}
                  tabIndex={-1}
                  data-first={id === first || undefined}
                  className="grid grid-cols-[3.5rem_minmax(0,1fr)] border-b border-(--line)/60"
                >
                  <time dateTime={at} className="py-2 font-mono text-[0.8125rem] leading-6 text-(--quiet)">
                    {timeFormat.format(new Date(at))}
                  </time>
                  <span className="border-l border-(--line) py-2 pl-4 text-[0.9375rem] leading-6 wrap-anywhere">
                    {sentenceOf(entry)}
                  </span>
                </li>
              ))}
          </ol>
        </section>
      ))}
    </div>
  )
}
