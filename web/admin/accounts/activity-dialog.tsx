import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type { ActivityTexts } from '#content/en/activity.ts'
import { maker } from '#content/maker.ts'
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
import { useTexts } from '../../language/language.tsx'
import { screenTexts, shownLanguage } from '../../language/site-texts.ts'
import { Select } from '../../ui/field.tsx'
import { Dialog, DialogBody } from '../dialog.tsx'
import { ListStates, ShowMore } from '../list.tsx'
import { useAdminTexts } from '../texts.ts'
import { adminsQuery } from './account-calls.ts'

const activityTexts = screenTexts<ActivityTexts>(
  async (language) => (await import(`../../../content/${language}/activity.ts`)).activity,
)

/** The dialog and its texts, which are no part of the panel's first script. */
export async function loadActivityDialog() {
  await activityTexts.load(shownLanguage())
  return ActivityDialog
}

const pageSize = 50

type Filter = { person: string; group: ActivityGroup | '' }

function useActivity({ person, group }: Filter) {
  return useInfiniteQuery({
    queryKey: [listActivity.path, person, group],
    queryFn: ({ pageParam: after }) =>
      call(listActivity, {
        query: {
          limit: String(pageSize),
          ...(after && { after }),
          ...(person && { person }),
          ...(group && { group }),
        },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Read anew whenever it is opened: nothing tells what others do.
    staleTime: 0,
  })
}

/** Who did what, by day. */
export function ActivityDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(activityTexts)
  const { data: admins = [] } = useQuery(adminsQuery)
  const [filter, setFilter] = useState<Filter>({ person: '', group: '' })
  const list = useActivity(filter)
  const entries = list.data?.pages.flatMap((page) => page.entries)
  const persons = { '': t.everyone, ...Object.fromEntries(admins.map(({ id, username }) => [id, username])) }
  const others = Object.fromEntries(otherPersons.map((each) => [each, t.others[each]]))
  const groups = Object.fromEntries(activityGroups.map((each) => [each, t.groups[each]]))
  const isFiltered = filter.person !== '' || filter.group !== ''
  return (
    <Dialog onClose={onClose} title={t.title} description={t.text(keptDays)} width="wide">
      <div className="grid shrink-0 grid-cols-2 gap-3 border-b border-(--line) px-5 py-3 sm:px-8">
        <Choice label={t.person} value={filter.person} onChange={(person) => setFilter({ ...filter, person })}>
          {{ ...persons, ...others }}
        </Choice>
        <Choice
          label={t.group}
          value={filter.group}
          onChange={(group) => setFilter({ ...filter, group: group as ActivityGroup | '' })}
        >
          {{ '': t.everything, ...groups }}
        </Choice>
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

type ChoiceProps = { label: string; value: string; onChange(value: string): void; children: Record<string, string> }

function Choice({ label, value, onChange, children: names }: ChoiceProps) {
  const id = useId()
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="lettering text-(--quiet)">
        {label}
      </label>
      <Select id={id} className="mt-1 w-full" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {Object.entries(names).map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  )
}

/** By the workshop's clock. */
function useLedgerDates() {
  const { locale } = useAdminTexts()
  const { timeZone } = maker
  const day = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'full' })
  const time = new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return { dayOf: (at: string) => day.format(new Date(at)), timeOf: (at: string) => time.format(new Date(at)) }
}

function Ledger({ entries, pages }: { entries: readonly ActivityEntry[]; pages: number }) {
  const { dayOf, timeOf } = useLedgerDates()
  const sentenceOf = useSentence()
  const dated = entries.map((entry) => ({ ...entry, day: dayOf(entry.at) }))
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
              .filter((entry) => entry.day === day)
              .map(({ id, at, ...entry }) => (
                <li
                  key={id}
                  tabIndex={-1}
                  data-first={id === first || undefined}
                  className="grid grid-cols-[3.5rem_minmax(0,1fr)] border-b border-(--line)/60"
                >
                  <time dateTime={at} className="py-2 font-mono text-[0.8125rem] leading-6 text-(--quiet)">
                    {timeOf(at)}
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

/** What an entry says, in words. */
function useSentence() {
  const t = useTexts(activityTexts)
  return ({ account, kind, name, newName, count }: Omit<ActivityEntry, 'id' | 'at'>) => {
    const say = Object.hasOwn(t.kinds, kind) ? t.kinds[kind as ActivityKind] : t.unknown
    return say({ who: account ?? undefined, name, newName, count })
  }
}
