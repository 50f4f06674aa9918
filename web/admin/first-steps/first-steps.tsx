import { ArrowRight, CircleCheck, CircleDashed, DoorOpen, ListChecks, Trash2 } from 'lucide-react'
import { type MouseEvent, type ReactElement, useId, useState } from 'react'
import { type FirstStep, firstSteps, type FirstSteps as Steps } from '#contract/overview.ts'
import type { SectionName } from '#contract/site-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { cn } from '../../ui/cn.ts'
import { useOwnAccount } from '../accounts/account-calls.ts'
import { focusHome, goTo } from '../block.tsx'
import { ConfirmCall } from '../confirm-call.tsx'
import { ReadAgain } from '../list.tsx'
import { openSettings } from '../settings/settings-calls.ts'
import { useAdminTexts } from '../texts.ts'
import { firstStepsPlace, useDemoRemoval, useFirstSteps, useOpening, usePuttingAway } from './first-steps-calls.ts'

type EditSite = (section: SectionName) => void

/** The set-up steps of a new site, until the list is hidden. */
export function FirstSteps({ onEditSite }: { onEditSite: EditSite }) {
  const { firstSteps: t } = useAdminTexts()
  const query = useFirstSteps()
  const { data, isError } = query
  return (
    // Takes the focus when the focused button is gone.
    <div id={firstStepsPlace} tabIndex={-1} data-focus-home className="scroll-mt-36 outline-none">
      {data?.steps ? (
        <StepList steps={data.steps} onEditSite={onEditSite} />
      ) : data && !data.opened ? (
        <Callout className="mt-5" actions={<OpenSite missing={[]} />}>
          {t.opening.closed}
        </Callout>
      ) : !data && isError ? (
        <ReadAgain query={query} failed={t.failed} />
      ) : null}
    </div>
  )
}

const own = ['contact', 'hero', 'story', 'model', 'demo'] as const satisfies FirstStep[]

/** A step is done by a button in its row, or the whole row leads to where it is done. */
type Way = ReactElement | (() => void)

type ListProps = { steps: NonNullable<Steps['steps']>; onEditSite: EditSite }

function StepList({ steps: { done, demoProjects }, onEditSite }: ListProps) {
  const { firstSteps: t } = useAdminTexts()
  const { putAway, isPending } = usePuttingAway()
  const words = { ...t.steps, demo: { name: t.demo.name, todo: t.demo.todo(demoProjects) } }
  /** What is not the maker's own yet. */
  const missing = own.filter((step) => !done.includes(step)).map((step) => words[step].name)
  const ways: Record<FirstStep, Way> = {
    contact: () => onEditSite('brand'),
    hero: () => onEditSite('hero'),
    story: () => onEditSite('about'),
    model: () => goTo('01'),
    mail: () => openSettings('mail'),
    backup: () => goTo('05'),
    copy: () => goTo('05'),
    demo: <RemoveDemo count={demoProjects} />,
    open: <OpenSite missing={missing} />,
  }
  const isAllDone = done.length === firstSteps.length
  return (
    <section aria-labelledby={`${firstStepsPlace}-title`} className="mt-5 border border-(--line) bg-(--raised)">
      <div className="flex items-center gap-x-4 border-b border-(--line) py-1.5 pr-1.5 pl-4 sm:pl-5">
        <div className="mr-auto flex min-w-0 flex-wrap items-baseline gap-x-4">
          <h2 id={`${firstStepsPlace}-title`} className="text-xl">
            {t.title}
          </h2>
          {/* Announced whenever a step is done. */}
          <p role="status" className="font-mono text-[0.8125rem] text-(--quiet)">
            {t.progress(done.length, firstSteps.length)}
          </p>
        </div>
        <Button tone="quiet" disabled={isPending} onClick={() => putAway(true)}>
          {t.hide}
        </Button>
      </div>
      <div
        aria-hidden="true"
        className="-mt-px h-0.5 bg-brass"
        style={{ width: `${(done.length / firstSteps.length) * 100}%` }}
      />
      {isAllDone ? (
        <p className="flex items-center gap-2.5 px-4 py-4 text-verdigris sm:px-5">
          <CircleCheck className="size-5 shrink-0" strokeWidth={1.75} aria-hidden />
          {t.allDone}
        </p>
      ) : (
        <ol className="grid gap-px bg-(--line) md:grid-cols-2">
          {firstSteps.map((step) =>
            done.includes(step) ? (
              <DoneStep key={step} step={step} name={words[step].name} />
            ) : (
              <OpenStep key={step} {...words[step]} way={ways[step]} />
            ),
          )}
        </ol>
      )}
    </section>
  )
}

const row = 'relative flex min-w-0 gap-3 bg-(--raised) px-4 py-3 sm:px-5 md:last:odd:col-span-2'

function DoneStep({ step, name }: { step: FirstStep; name: string }) {
  const {
    firstSteps: t,
    recovery: { own },
  } = useAdminTexts()
  const account = useOwnAccount()
  const lacksAddress = account && !account.email && !account.unconfirmedEmail
  return (
    <li className={cn(row, 'items-center text-(--quiet)')}>
      <CircleCheck className="size-5 shrink-0 text-verdigris" strokeWidth={1.75} aria-hidden />
      <p className="min-w-0 wrap-anywhere">
        {name} <span className="sr-only">{t.done}</span>
        {step === 'mail' && lacksAddress && (
          <button
            type="button"
            onClick={() => goTo('04')}
            className="ml-2 min-h-11 text-sm text-ink underline decoration-brass underline-offset-4"
          >
            {own.add}
          </button>
        )}
      </p>
    </li>
  )
}

function OpenStep({ name, todo, way }: { name: string; todo: string; way: Way }) {
  const id = useId()
  const leads = typeof way === 'function'
  return (
    <li className={cn(row, leads ? 'group transition-colors hover:bg-bone' : 'flex-wrap gap-y-2')}>
      <CircleDashed className="mt-0.5 size-5 shrink-0 text-brass-deep" strokeWidth={1.75} aria-hidden />
      <div className={cn('flex-1', leads ? 'min-w-0' : 'min-w-[min(12rem,70%)]')}>
        {leads ? (
          <button
            type="button"
            onClick={way}
            aria-describedby={id}
            className="text-left font-medium decoration-brass decoration-1 underline-offset-4 group-hover:underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-(--focus)"
          >
            {name}
          </button>
        ) : (
          <p className="font-medium">{name}</p>
        )}
        <p id={id} className="text-sm text-pretty text-(--quiet)">
          {todo}
        </p>
      </div>
      {leads ? (
        <ArrowRight
          className="size-5 shrink-0 self-center text-(--quiet) group-hover:text-ink"
          strokeWidth={1.75}
          aria-hidden
        />
      ) : (
        <div className="self-center max-sm:ml-8 md:max-lg:ml-8">{way}</div>
      )}
    </li>
  )
}

function RemoveDemo({ count }: { count: number }) {
  const { demo: t } = useAdminTexts().firstSteps
  const { remove, isPending } = useDemoRemoval()
  const begin = ({ currentTarget }: MouseEvent) => {
    focusHome(currentTarget)
    remove()
  }
  return (
    <Button icon={Trash2} disabled={isPending} onClick={begin}>
      {t.remove(count)}
    </Button>
  )
}

/** Opens the site after a question, which names what is not the maker's own yet. */
function OpenSite({ missing }: { missing: readonly string[] }) {
  const { opening: t } = useAdminTexts().firstSteps
  const opening = useOpening()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button icon={DoorOpen} tone="brass" onClick={() => setAsking(true)}>
        {t.action}
      </Button>
      {asking && (
        <ConfirmCall
          call={opening}
          input={true}
          title={t.title}
          text={missing.length > 0 ? t.text : t.ready}
          action={t.action}
          busy={t.pending}
          failed={t.failed}
          onDone={opening.done}
          onClose={() => setAsking(false)}
        >
          {missing.length > 0 && (
            <ul className="list-disc pl-5">
              {missing.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          )}
        </ConfirmCall>
      )}
    </>
  )
}

export function ShowFirstSteps() {
  const { firstSteps: t } = useAdminTexts()
  const { data } = useFirstSteps()
  const { putAway, isPending } = usePuttingAway()
  if (!data?.putAway) return null
  return (
    <Button icon={ListChecks} tone="quiet" className="mt-3 -mx-4" disabled={isPending} onClick={() => putAway(false)}>
      {t.show}
    </Button>
  )
}
