import { useMutation, useQuery } from '@tanstack/react-query'
import { ExternalLink, LogOut, PencilLine, Settings } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Redirect } from 'wouter'
import { signOut } from '#contract/accounts.ts'
import { contactKey } from '#contract/contacts.admin.ts'
import { signInPath } from '#contract/first-visit.ts'
import type { SectionName } from '#contract/site-fields.ts'
import { call } from '../../api/call.ts'
import { dropAllUnsaved } from '../../kept.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { cn } from '../../ui/cn.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useStore } from '../../ui/store.ts'
import { AdminsBlock } from '../accounts/accounts-block.tsx'
import { type BlockNumber, blockAddress, choose, goToBlock, idOf, useChosen } from '../block.tsx'
import { SiteStatus } from '../checks/checks.tsx'
import { newsQuery } from '../contacts/contact-calls.ts'
import { ContactsBlock } from '../contacts/contacts-block.tsx'
import type { Opened } from '../contacts/manage-contacts.tsx'
import { FirstSteps, ShowFirstSteps } from '../first-steps/first-steps.tsx'
import { LazyBlock, LazyDialog } from '../lazy.tsx'
import { useNotices } from '../notices.ts'
import { overviewQuery } from '../overview-calls.ts'
import { ProjectsBlock } from '../projects/projects-block.tsx'
import { forgetInAddress, leavePanel, sessionQuery, useIsOwner } from '../session.ts'
import { openedSettings, openSettings } from '../settings/settings-calls.ts'
import { Shell, takeFocus, useTitle } from '../shell.tsx'
import { SiteContentBlock } from '../site-content/site-content-block.tsx'
import { WeekOfVisits } from '../statistics/statistics-block.tsx'
import { useAdminTexts, useSettingsTexts, useYourSiteTexts } from '../texts.ts'
import { BlockNav } from './block-nav.tsx'
import { useServerEvents } from './server-events.ts'
import { ToAnswer } from './to-answer.tsx'

export function Dashboard() {
  const t = useAdminTexts()
  const { link } = useLanguage()
  const { data: session } = useQuery(sessionQuery)
  const { data: news } = useQuery(newsQuery)
  useTitle(t.dashboard.title, news?.counts.new)
  useEffect(() => () => choose('today'), [])
  const [opened, setOpened] = useState(openedByMail)
  const [editing, setEditing] = useState<SectionName>()
  const [unpublished, setUnpublished] = useState(0)
  const isWhole = useChosen() === 'today'
  const isSignedIn = session?.authenticated === true
  const isOwner = useIsOwner()
  useServerEvents(isSignedIn)
  useEffect(() => {
    if (isSignedIn) forgetInAddress(contactKey)
  }, [isSignedIn])
  if (session && !session.authenticated) return <Redirect to={`${signInPath}${location.search}`} replace />
  return (
    <Shell
      actions={
        <>
          {isOwner && <OpenSettings />}
          <SignOut />
        </>
      }
      nav={<BlockNav />}
      className="mx-auto w-full max-w-[82rem] px-5 pt-6 pb-[calc(6.5rem+env(safe-area-inset-bottom))] sm:px-8 md:pb-20 lg:px-12 lg:pt-12"
    >
      <div id={idOf('today')} tabIndex={-1} className="scroll-mt-40 outline-none">
        <div className={cn('flex flex-wrap items-end justify-between gap-x-6 gap-y-2', !isWhole && 'max-md:sr-only')}>
          <h1
            ref={takeFocus}
            tabIndex={-1}
            className="min-w-0 wrap-anywhere outline-none max-[22.5rem]:hyphens-auto text-[clamp(1.75rem,1.3rem+1.8vw,3rem)]"
          >
            {t.dashboard.title}
          </h1>
          <a href={link('/')} className={cn(buttonClasses({ tone: 'quiet' }), '-mx-4 max-md:hidden')}>
            <ExternalLink aria-hidden />
            {t.common.viewSite}
          </a>
        </div>
        {/* On a phone a block takes its place. */}
        <div className={cn(!isWhole && 'max-md:hidden')}>
          <ToAnswer onOpen={setOpened} />
          {unpublished > 0 && <Unpublished count={unpublished} onEdit={() => setEditing('brand')} />}
          {isOwner && <FirstSteps onEditSite={setEditing} />}
          {isOwner && <SiteStatus />}
          <Figures />
          <WeekOfVisits />
        </div>
      </div>
      <div
        className={cn(
          'grid grid-cols-1 gap-x-12 gap-y-14 lg:grid-cols-12',
          isWhole ? 'mt-8 max-md:gap-y-8 md:mt-10' : 'md:mt-10',
        )}
      >
        <ProjectsBlock className="lg:col-span-12" />
        <ContactsBlock className="lg:col-span-7" onOpen={setOpened} />
        <SiteContentBlock
          className="lg:col-span-5 lg:self-start"
          editing={editing}
          onEdit={setEditing}
          onUnpublished={setUnpublished}
        />
        <AdminsBlock ownId={session?.adminId} className="lg:col-span-12" footer={isOwner && <ShowFirstSteps />} />
        {isOwner && <LazyBlock part="BackupsBlock" number="05" className="lg:col-span-12" />}
        <LazyBlock part="Figures" number="06" className="max-md:data-short:hidden lg:col-span-12" />
      </div>
      {opened && isSignedIn && <LazyDialog part="ManageContacts" props={{ opened, onClose: () => setOpened(undefined) }} />}
    </Shell>
  )
}

/** The message that the link in a mail leads to. */
function openedByMail(): Opened | undefined {
  const id = new URLSearchParams(location.search).get(contactKey)
  return id ? { id } : undefined
}

/** The settings, opened from here or from where something is to be set. */
function OpenSettings() {
  const { title } = useSettingsTexts()
  const at = useStore(openedSettings)
  return (
    <>
      <IconButton icon={Settings} label={title} tip={title} onClick={() => openSettings()} />
      {at && <LazyDialog part="SettingsDialog" props={{ at, onClose: () => openedSettings.set(undefined) }} />}
    </>
  )
}

function SignOut() {
  const t = useAdminTexts()
  const notices = useNotices()
  const { mutate, isPending } = useMutation({ mutationFn: () => call(signOut) })
  const leave = () =>
    mutate(undefined, {
      onSuccess: () => {
        dropAllUnsaved()
        leavePanel('signedOut')
      },
      onError: () => notices.fail(t.dashboard.logoutFailed),
    })
  return (
    <Button
      icon={LogOut}
      onClick={leave}
      disabled={isPending}
      // A phone has room for one of both.
      className="whitespace-nowrap max-sm:px-3 max-sm:min-[22.5rem]:[&_svg]:hidden"
    >
      <span className="max-[22.5rem]:sr-only">{t.dashboard.logout}</span>
    </Button>
  )
}

/** Three counts, each a link to its block. */
function Figures() {
  const t = useAdminTexts()
  const { data: overview, isError } = useQuery(overviewQuery)
  const number = new Intl.NumberFormat(t.locale)
  const figures = [
    [t.dashboard.totalProjects, overview?.projects, '01'],
    [t.dashboard.contactMessages, overview?.contacts, '02'],
    [t.dashboard.featuredProjects, overview?.featuredProjects, '01'],
  ] as const satisfies [string, number | undefined, BlockNumber][]
  return (
    <section aria-label={t.dashboard.overview} className="mt-5">
      <dl className="grid grid-cols-3 divide-x divide-(--line) border border-(--line) bg-(--raised)">
        {figures.map(([name, count, block]) => (
          <div
            key={name}
            className="group relative flex flex-row-reverse items-baseline justify-end gap-x-2.5 px-3 py-2.5 transition-colors hover:bg-bone max-sm:flex-col-reverse max-[22.5rem]:px-2 sm:px-5"
          >
            <dt className="text-[0.8125rem] leading-snug text-(--quiet) sm:text-[0.9375rem]">
              <a
                href={blockAddress(block)}
                onClick={(event) => goToBlock(event, block)}
                className="decoration-brass decoration-1 underline-offset-4 group-hover:underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-(--focus)"
              >
                {name}
              </a>
            </dt>
            <dd className="font-display text-2xl leading-none tracking-tight">
              {count !== undefined ? number.format(count) : isError ? '–' : <Blank />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Changes of the site's texts and photos that visitors do not see yet. */
function Unpublished({ count, onEdit }: { count: number; onEdit(): void }) {
  const t = useYourSiteTexts()
  return (
    <Callout
      className="mt-4"
      icon={<PencilLine className="size-5 shrink-0 text-brass-deep max-sm:hidden" aria-hidden />}
      actions={<Button onClick={onEdit}>{t.edit}</Button>}
    >
      {t.unpublished(count)}
    </Callout>
  )
}

/** Placeholder for a count that is loading. */
function Blank() {
  return <span aria-hidden="true" className="inline-block h-[0.72em] w-[1em] animate-pulse rounded-[2px] bg-bone-line/70" />
}
