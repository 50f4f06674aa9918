import { ArrowRight, CircleCheck, CircleDashed, DoorOpen, ListChecks, Trash2 } from 'lucide-react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { type FirstStep, firstSteps, type FirstSteps as Steps } from '#contract/overview.ts'
import type { SectionName } from '#contract/site-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { cn } from '../../ui/cn.ts'
import { useOwnAccount } from '../accounts/account-calls.ts'
import { type BlockNumber, blockAddress, focusHome, goToBlock } from '../block.tsx'
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

type ListProps = { steps: NonNullable<Steps['steps']>; onEditSite: EditSite }

function StepList({ steps: { done, demoProjects }, onEditSite }: ListProps) {
  const { firstSteps: t } = useAdminTexts()
  const { putAway, isPending } = usePuttingAway()
  /** What is not the maker's own yet. */
  const missing = own.flatMap((step) => (done.includes(step) ? [] : step === 'demo' ? t.demo.name : t.steps[step].name))
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
        <Button tone="quiet" size="small" disabled={isPending} onClick={() => putAway(true)}>
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
              <DoneStep key={step} step={step} />
            ) : step === 'demo' ? (
              <DemoStep key={step} count={demoProjects} />
            ) : step === 'open' ? (
              <ActStep key={step} {...t.steps.open} action={<OpenSite missing={missing} />} />
            ) : (
              <OpenStep key={step} step={step} onEditSite={onEditSite} />
            ),
          )}
        </ol>
      )}
    </section>
  )
}

const row = 'relative flex min-w-0 gap-3 bg-(--raised) px-4 py-3 sm:px-5 md:last:odd:col-span-2'

function DoneStep({ step }: { step: FirstStep }) {
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
        {step === 'demo' ? t.demo.name : t.steps[step].name} <span className="sr-only">{t.done}</span>
        {step === 'mail' && lacksAddress && (
          <a
            href={blockAddress('04')}
            onClick={(event) => goToBlock(event, '04')}
            className="ml-2 inline-flex min-h-11 items-center text-sm text-ink underline decoration-brass underline-offset-4"
          >
            {own.add}
          </a>
        )}
      </p>
    </li>
  )
}

type OpenProps = { step: Exclude<FirstStep, 'demo' | 'open'>; onEditSite: EditSite }

/** The whole row is a link to where the step is done. */
function OpenStep({ step, onEditSite }: OpenProps) {
  const { firstSteps: t } = useAdminTexts()
  const { name, todo } = t.steps[step]
  const id = `first-step-${step}`
  const look = {
    'aria-describedby': id,
    className:
      'text-left font-medium decoration-brass decoration-1 underline-offset-4 group-hover:underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-(--focus)',
  }
  const block = blocks[step]
  const section = sections[step]
  return (
    <li className={cn(row, 'group transition-colors hover:bg-bone')}>
      <CircleDashed className="mt-0.5 size-5 shrink-0 text-brass-deep" strokeWidth={1.75} aria-hidden />
      <div className="min-w-0 flex-1">
        {block ? (
          <a href={blockAddress(block)} onClick={(event) => goToBlock(event, block)} {...look}>
            {name}
          </a>
        ) : (
          <button type="button" onClick={() => (section ? onEditSite(section) : openSettings('mail'))} {...look}>
            {name}
          </button>
        )}
        <p id={id} className="text-sm text-pretty text-(--quiet)">
          {todo}
        </p>
      </div>
      <ArrowRight className="size-5 shrink-0 self-center text-(--quiet) group-hover:text-ink" strokeWidth={1.75} aria-hidden />
    </li>
  )
}

const blocks: Partial<Record<FirstStep, BlockNumber>> = { model: '01', backup: '05', copy: '05' }
const sections: Partial<Record<FirstStep, SectionName>> = { contact: 'brand', hero: 'hero', story: 'about' }
const own = ['contact', 'hero', 'story', 'model', 'demo'] as const

function DemoStep({ count }: { count: number }) {
  const { demo: t } = useAdminTexts().firstSteps
  const { remove, isPending } = useDemoRemoval()
  const begin = ({ currentTarget }: MouseEvent) => {
    focusHome(currentTarget)
    remove()
  }
  const action = (
    <Button icon={Trash2} size="small" disabled={isPending} onClick={begin}>
      {t.remove(count)}
    </Button>
  )
  return <ActStep name={t.name} todo={t.todo(count)} action={action} />
}

/** A step that is done by a button in its row. */
function ActStep({ name, todo, action }: { name: string; todo: string; action: ReactNode }) {
  return (
    <li className={cn(row, 'flex-wrap gap-y-2')}>
      <CircleDashed className="mt-0.5 size-5 shrink-0 text-brass-deep" strokeWidth={1.75} aria-hidden />
      <div className="min-w-[min(12rem,70%)] flex-1">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-pretty text-(--quiet)">{todo}</p>
      </div>
      <div className="self-center max-sm:ml-8 md:max-lg:ml-8">{action}</div>
    </li>
  )
}

/** Opens the site after a question, which names what is not the maker's own yet. */
function OpenSite({ missing }: { missing: readonly string[] }) {
  const { opening: t } = useAdminTexts().firstSteps
  const opening = useOpening()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button icon={DoorOpen} tone="brass" size="small" onClick={() => setAsking(true)}>
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

/** Shows the hidden list again. */
export function ShowFirstSteps() {
  const { firstSteps: t } = useAdminTexts()
  const { data } = useFirstSteps()
  const { putAway, isPending } = usePuttingAway()
  if (!data?.putAway) return null
  return (
    <Button
      icon={ListChecks}
      tone="quiet"
      size="small"
      className="mt-3 -mx-4"
      disabled={isPending}
      onClick={() => putAway(false)}
    >
      {t.show}
    </Button>
  )
}
