import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { isLanguage, languages, languageTitle, ownNameOf } from '#contract/languages.ts'
import {
  type Figures as Counted,
  countedDays,
  type ModelFigures,
  type Period,
  periods,
  readStatistics,
  switchStatistics,
} from '#contract/statistics.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Block, blockAddress, goToBlock } from '../block.tsx'
import { useChange } from '../changes.ts'
import { ConfirmCall } from '../confirm-call.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { Segments } from '../language-switch.tsx'
import { ListStates } from '../list.tsx'
import { useNotices } from '../notices.ts'
import { ProjectThumbnail } from '../projects/project-thumbnail.tsx'
import { useIsOwner } from '../session.ts'
import { privacyIn, useAdminTexts, useStatisticsTexts } from '../texts.ts'
import { figuresQuery } from './statistics-block.tsx'
import { Disclosure, dates, VisitsLine } from './visits-line.tsx'

/** The last seven days in a sentence. */
export function Week() {
  const t = useStatisticsTexts()
  const { data } = useQuery(figuresQuery('days'))
  if (!data) return null
  const { counting, since, week } = data
  const model = week.model && { ...week.model, title: week.model.project.title }
  const sentence = !counting ? t.isOff : since === null ? t.noneYet : t.week(week.visits, model ?? undefined)
  return (
    <a
      href={blockAddress('06')}
      onClick={(event) => goToBlock(event, '06')}
      className="group flex min-h-11 items-center gap-x-3 text-[0.9375rem] sm:inline-flex"
    >
      <span className="min-w-0 max-w-[52rem] flex-1 wrap-anywhere">{sentence}</span>
      <span className="inline-flex shrink-0 items-center gap-1.5 text-(--accent) decoration-brass underline-offset-4 group-hover:underline">
        <span className="sr-only sm:not-sr-only">{t.show}</span>
        <ArrowRight className="size-4" />
      </span>
    </a>
  )
}

/** How many people come, for which models, and from where. Phones show it when it is chosen. */
export function Figures({ className }: { className: string }) {
  const t = useStatisticsTexts()
  const { dashboard } = useAdminTexts()
  const isOwner = useIsOwner()
  const [period, setPeriod] = useState<Period>('days')
  const query = useQuery(figuresQuery(period))
  return (
    <Block number="06" title={dashboard.blockNames['06']} className={className}>
      <ListStates query={{ ...query, data: query.data && [query.data] }} words={t}>
        {([figures]) =>
          figures && (
            <>
              {!figures.counting ? (
                <TurnedOff />
              ) : figures.since === null ? (
                <p className="mx-auto max-w-[38rem] px-2 py-10 text-center text-balance text-(--quiet)">{t.empty}</p>
              ) : (
                <>
                  <Head figures={figures} period={period} onPeriod={setPeriod} />
                  <VisitsLine key={figures.points.length} points={figures.points} texts={t} />
                  <Lists figures={figures} />
                </>
              )}
              <About turnsOff={isOwner && figures.counting} />
            </>
          )
        }
      </ListStates>
    </Block>
  )
}

const note = 'mt-1.5 text-[0.9375rem] text-(--quiet)'

type HeadProps = { figures: Counted; period: Period; onPeriod(period: Period): void }

function Head({ figures: { visits, before, since, points }, period, onPeriod }: HeadProps) {
  const t = useStatisticsTexts()
  const { locale } = useAdminTexts()
  return (
    <div className="mt-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div role="status">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-display text-[clamp(2.25rem,1.8rem+1.6vw,3.25rem)] leading-none tracking-tight">
            {new Intl.NumberFormat(locale).format(visits)}
          </span>
          <span>{t.total[period](visits)}</span>
        </p>
        {before !== null && <p className={note}>{t.compared(visits - before)}</p>}
        {since && since > (points[0]?.from ?? '') && <p className={note}>{t.since(dates(locale, 'days').long(since))}</p>}
      </div>
      <Segments
        label={t.period}
        chosen={period}
        onChoose={onPeriod}
        choices={periods.map((value) => ({ value, label: t.periods[value] }))}
      />
    </div>
  )
}

function Lists({ figures: { visits, opened, asked, hosts, languages: spoken, devices } }: { figures: Counted }) {
  const t = useStatisticsTexts()
  const { language } = useLanguage()
  const led = hosts.reduce((sum, host) => sum + host.visits, 0)
  const rest = visits > led ? [{ name: t.hosts.rest, visits: visits - led }] : []
  return (
    <>
      <div className="mt-10 grid gap-x-12 gap-y-10 md:grid-cols-2">
        <ModelList {...t.opened} models={opened} of="looks" />
        <ModelList {...t.asked} models={asked} of="messages" />
      </div>
      <div className="mt-10 grid gap-x-12 gap-y-10 md:grid-cols-2 lg:grid-cols-3">
        <Tally title={t.hosts.title} rows={[...hosts, ...rest]} />
        <Tally
          title={t.languages}
          rows={spoken.map(({ name, ...row }) => ({ ...row, name: isLanguage(name) ? languageTitle(name, language) : name }))}
        />
        <Tally title={t.devices.title} rows={devices.map(({ name, ...row }) => ({ ...row, name: t.devices.names[name] }))} />
      </div>
    </>
  )
}

type ModelListProps = {
  title: string
  none: string
  count(count: number): string
  models: readonly ModelFigures[]
  of: 'looks' | 'messages'
}

function ModelList({ title, none, count, models, of }: ModelListProps) {
  const t = useAdminTexts()
  const most = models[0]?.[of] ?? 1
  return (
    <section>
      <Heading>{title}</Heading>
      {models.length === 0 && <p className="py-4 text-(--quiet)">{none}</p>}
      <ol>
        {models.map(({ project, ...figures }) => (
          <li key={project.id} className="flex items-center gap-4 border-b border-(--line) py-2.5">
            <ProjectThumbnail project={project} className="w-16 shrink-0" />
            <div className="min-w-0 flex-1">
              <p className="flex items-baseline justify-between gap-4">
                <span className="line-clamp-2 leading-snug font-medium wrap-anywhere">
                  {project.title || t.projects.untitled}
                </span>
                <span className="shrink-0 font-mono text-[0.8125rem]">{count(figures[of])}</span>
              </p>
              <div aria-hidden="true" className="mt-2 h-0.5 bg-brass" style={{ width: `${(figures[of] / most) * 100}%` }} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

type TallyProps = { title: string; rows: readonly { name: string; visits: number }[] }

function Tally({ title, rows }: TallyProps) {
  const { locale } = useAdminTexts()
  const number = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  const all = rows.reduce((sum, row) => sum + row.visits, 0) || 1
  return (
    <section>
      <Heading>{title}</Heading>
      <dl>
        {rows.map(({ name, visits }) => (
          <div
            key={name}
            className="grid grid-cols-[minmax(0,1fr)_auto_3.25rem] items-baseline gap-x-3 border-b border-(--line) py-2.5"
          >
            <dt className="wrap-anywhere">{name}</dt>
            <dd className="font-mono text-[0.8125rem]">{number.format(visits)}</dd>
            <dd className="text-right font-mono text-[0.8125rem] text-(--quiet)">{percent.format(visits / all)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Heading({ children }: { children: string }) {
  return <h3 className="lettering border-b border-(--line) pb-2 text-(--accent)">{children}</h3>
}

function About({ turnsOff }: { turnsOff: boolean }) {
  const t = useStatisticsTexts()
  return (
    <div className="mt-8 border-t border-(--line)">
      <Disclosure title={t.about.title}>
        <div className="max-w-[46rem] text-[0.9375rem]">
          <p>{t.about.text(countedDays)}</p>
          <h3 className="lettering mt-5 text-(--accent)">{t.about.privacyTitle}</h3>
          {languages.map((language) => (
            <figure key={language} className="mt-3">
              <figcaption lang={language} className="text-sm text-(--quiet)">
                {ownNameOf(language)}
              </figcaption>
              <blockquote lang={language} className="mt-1 border-l-2 border-(--line) pl-4 select-all">
                {privacyIn(language)}
              </blockquote>
            </figure>
          ))}
          {turnsOff && <TurnOff />}
        </div>
      </Disclosure>
    </div>
  )
}

function useSwitch() {
  return useChange(
    ({ counting }: { counting: boolean }) => callConfirmed(switchStatistics, { body: { counting } }),
    [readStatistics.path],
  )
}

function TurnOff() {
  const { turnOff: t } = useStatisticsTexts()
  const turnOff = useSwitch()
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button className="mt-6" onClick={() => setAsked(true)}>
        {t.open}
      </Button>
      {isAsked && (
        <ConfirmCall {...t} call={turnOff} input={{ counting: false }} onDone={() => t.done} onClose={() => setAsked(false)} />
      )}
    </>
  )
}

function TurnedOff() {
  const { turnOn: t } = useStatisticsTexts()
  const notices = useNotices()
  const isOwner = useIsOwner()
  const turnOn = useSwitch()
  return (
    <div className="px-2 py-10 text-center">
      <p className="text-(--quiet)">{t.text}</p>
      {isOwner && (
        <Button
          className="mt-5"
          disabled={turnOn.isPending}
          onClick={() => turnOn.mutate({ counting: true }, { onError: (error) => notices.failed(error, t.failed) })}
        >
          {turnOn.isPending ? t.busy : t.action}
        </Button>
      )}
    </div>
  )
}
