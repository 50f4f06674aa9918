import { type PointerEvent, type ReactNode, useState } from 'react'
import type { StatisticsTexts } from '#content/en/statistics.ts'
import type { Figures, Period } from '#contract/statistics.ts'
import { useAdminTexts } from '../texts.ts'

type Points = Figures['points']
type Props = { points: Points; texts: StatisticsTexts }

/** The visits as a drawn line, with those of the time before dashed; each number can be chosen, and all are in a table. */
export function VisitsLine({ points, texts: t }: Props) {
  const { locale } = useAdminTexts()
  const [chosen, setChosen] = useState(points.length - 1)
  const period: Period = points.length === 12 ? 'months' : 'days'
  const number = new Intl.NumberFormat(locale)
  const scale = new Intl.NumberFormat(locale, { notation: 'compact' })
  const dateOf = dates(locale, period)
  const hasBefore = points.some(({ before }) => before !== null)
  const top = roundAbove(Math.max(...points.flatMap(({ visits, before }) => [visits ?? 0, before ?? 0])))
  const sentenceOf = ({ from, visits, before }: Points[number], index: number) => {
    const isOver = index < points.length - 1
    const count = visits === null ? t.notCounted : isOver ? t.visits(visits) : t.soFar(visits)
    return `${dateOf.long(from)}: ${count}${before === null ? '' : `, ${t.earlier(before)}`}`
  }
  const lineOf = (of: 'visits' | 'before') =>
    pathOf(
      points.map((point) => point[of]),
      top,
    )
  const point = points[chosen]
  const left = (index: number) => `${(index / (points.length - 1)) * 100}%`
  const chooseUnder = ({ currentTarget, clientX, pointerType }: PointerEvent<HTMLElement>) => {
    if (pointerType !== 'mouse') return
    const { left: start, width } = currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (clientX - start) / width))
    setChosen(Math.round(share * (points.length - 1)))
  }
  return (
    <>
      <p className="mt-6 min-h-6 font-mono text-[0.8125rem] leading-6 max-sm:min-h-12">{point && sentenceOf(point, chosen)}</p>
      <div className="mt-3 ml-12 pr-2">
        <div
          onPointerMove={chooseUnder}
          className="squared relative h-44 border-b border-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-(--focus) sm:h-60"
        >
          {[top, top / 2, 0].map((value) => (
            <span
              key={value}
              aria-hidden="true"
              className="absolute -left-12 w-10 translate-y-1/2 text-right whitespace-nowrap font-mono text-[0.8125rem] leading-none text-(--quiet)"
              style={{ bottom: `${(value / top) * 100}%` }}
            >
              {scale.format(value)}
            </span>
          ))}
          <svg
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            fill="none"
            strokeLinecap="round"
            strokeLinejoin="round"
            className="absolute inset-0 size-full overflow-visible [&_path]:[vector-effect:non-scaling-stroke]"
            aria-hidden="true"
          >
            <path d="M0 0H100M0 50H100" strokeWidth="1" className="stroke-(--line)" />
            <path d={lineOf('before')} strokeWidth="1.5" strokeDasharray="3 4" className="stroke-(--quiet)" />
            <path d={lineOf('visits')} strokeWidth="2" className="stroke-brass-deep" />
          </svg>
          <span aria-hidden="true" className="absolute inset-y-0 w-px bg-ink/45" style={{ left: left(chosen) }} />
          {point?.visits != null && (
            <span
              aria-hidden="true"
              className="absolute size-2.5 -translate-x-1/2 translate-y-1/2 rounded-full border-2 border-bone bg-ink"
              style={{ left: left(chosen), bottom: `${(point.visits / top) * 100}%` }}
            />
          )}
          <input
            type="range"
            min={0}
            max={points.length - 1}
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.valueAsNumber)}
            aria-label={t.choose[period]}
            aria-valuetext={point && sentenceOf(point, chosen)}
            // The browser keeps half of its handle free at each end.
            className="absolute inset-y-0 -left-2 m-0 h-full w-[calc(100%+1rem)] cursor-crosshair touch-pan-y opacity-0"
          />
        </div>
        <div aria-hidden="true" className="relative mt-2 h-5 font-mono text-[0.8125rem] leading-5 text-(--quiet)">
          <span className="absolute left-0">{dateOf.short(points[0]?.from)}</span>
          <span className="absolute -translate-x-1/2" style={{ left: left(Math.floor(points.length / 2)) }}>
            {dateOf.short(points[Math.floor(points.length / 2)]?.from)}
          </span>
          <span className="absolute right-0">{dateOf.short(points.at(-1)?.from)}</span>
        </div>
      </div>
      {hasBefore && (
        <p aria-hidden="true" className="mt-3 ml-12 flex flex-wrap gap-x-6 gap-y-1 text-sm text-(--quiet)">
          <span className="flex items-center gap-2">
            <span className="w-6 border-t-2 border-brass-deep" />
            {t.legend.now}
          </span>
          <span className="flex items-center gap-2">
            <span className="w-6 border-t-2 border-dashed border-(--quiet)" />
            {t.legend.before}
          </span>
        </p>
      )}
      <div className="mt-4 border-t border-(--line)">
        <Disclosure title={t.table.title}>
          <table className="w-full max-w-[32rem] text-[0.9375rem]">
            <thead>
              <tr className="text-left [&_th]:lettering [&_th]:py-2 [&_th]:text-(--quiet)">
                <th scope="col">{t.table.columns[period]}</th>
                <th scope="col" className="text-right">
                  {t.table.visits}
                </th>
                {hasBefore && (
                  <th scope="col" className="text-right">
                    {t.table.before}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {points.toReversed().map(({ from, visits, before }) => (
                <tr key={from} className="border-t border-(--line) [&_td]:py-1.5 [&_td]:text-right [&_td]:font-mono">
                  <th scope="row" className="text-left font-normal">
                    {dateOf.long(from)}
                  </th>
                  <td>{visits === null ? t.notCounted : number.format(visits)}</td>
                  {hasBefore && <td className="text-(--quiet)">{before === null ? t.notCounted : number.format(before)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </Disclosure>
      </div>
    </>
  )
}

export function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="border-b border-(--line)">
      <summary className="flex min-h-11 cursor-pointer items-center text-[0.9375rem] underline decoration-(--line) underline-offset-4 hover:decoration-brass">
        {title}
      </summary>
      <div className="pb-5">{children}</div>
    </details>
  )
}

/** The days are those of the maker's calendar, not moments. */
export function dates(locale: string, period: Period) {
  const inWords = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
    return (day = '') => (day ? format.format(new Date(`${day}T00:00:00.000Z`)) : '')
  }
  return period === 'days'
    ? { long: inWords({ day: 'numeric', month: 'long' }), short: inWords({ day: 'numeric', month: 'short' }) }
    : { long: inWords({ month: 'long', year: 'numeric' }), short: inWords({ month: 'short', year: '2-digit' }) }
}

/** On a sheet of 100 by 100. Where nothing was counted there is no line; one number alone is a dot. */
export function pathOf(values: readonly (number | null)[], top: number) {
  let isDrawing = false
  const steps = values.map((value, index) => {
    const begins = !isDrawing
    isDrawing = value !== null
    if (value === null) return ''
    const place = `${round((index / (values.length - 1)) * 100)} ${round(100 - (value / top) * 100)}`
    return begins ? `M${place}h.01` : `L${place}`
  })
  return steps.join('')
}

const round = (number: number) => Math.round(number * 100) / 100

const tops = [4, 6, 8, 10, 12, 16, 20, 24, 30, 40, 50, 60, 80, 100]

/** The upper end of a scale: a round number whose half is one, too. */
export function roundAbove(most: number) {
  const power = 10 ** Math.max(0, String(Math.floor(most)).length - 2)
  return (tops.find((each) => each * power >= most) ?? 100) * power
}
