import { Suspense, useCallback, useEffect, useSyncExternalStore } from 'react'
import { type Category, categories } from '#contract/first-visit.ts'
import type { ProjectInList } from '#contract/project-in-list.ts'
import { useCache } from '../../api/cache.ts'
import { categoryOf, countsRead, type Filter, projectsRead } from '../../api/project-lists.ts'
import { useLanguage } from '../../language/language.tsx'
import type { AboutProject, ListedProject, SentForm } from '../../page.ts'
import { toast } from '../../ui/toast-store.ts'
import { Contact } from '../contact/contact.tsx'
import { loadProjectDialog, useProjectDialog } from '../model/project-dialog-loader.ts'
import { type ReachForProject, unknownName, useOpenProject } from '../model/use-open-project.ts'
import { PrintedContact } from './brand.tsx'
import { Featured } from './featured.tsx'
import { Gallery } from './gallery.tsx'
import { navigate, onNavigation, queryNow } from './navigate.ts'
import { Navigation } from './navigation.tsx'
import { nearby, staticPart } from './static-part.tsx'

const loadHero = async () => (await import('./hero.tsx')).Hero
const loadServices = async () => (await import('./static-sections.tsx')).Services
const loadProcess = async () => (await import('./static-sections.tsx')).Process
const loadPricing = async () => (await import('./pricing.tsx')).Pricing
const loadAbout = async () => (await import('./about.tsx')).About
const loadFooter = async () => (await import('./footer.tsx')).Footer

const hero = staticPart(loadHero, import.meta.env.SSR ? await loadHero() : undefined)
const services = staticPart(loadServices, import.meta.env.SSR ? await loadServices() : undefined)
const process = staticPart(loadProcess, import.meta.env.SSR ? await loadProcess() : undefined)
const pricing = staticPart(loadPricing, import.meta.env.SSR ? await loadPricing() : undefined)
const about = staticPart(loadAbout, import.meta.env.SSR ? await loadAbout() : undefined)
const footer = staticPart(loadFooter, import.meta.env.SSR ? await loadFooter() : undefined, nearby('#root > footer'))

type Props = {
  /** The gallery's filter in the server-rendered page. */
  category?: Category | undefined
  /** Undefined, as the gallery is, when the page answers a form. */
  featured?: ListedProject[] | undefined
  /** The open project of the server-rendered page. */
  arrived: ProjectInList | undefined
  /** The address names a project that does not exist. */
  isGone: boolean | undefined
  /** The subject of the form in the server-rendered page, and the outcome of a form that was sent without script. */
  about: AboutProject | undefined
  sentForm: SentForm | undefined
}

export function Site({ category, featured, arrived, isGone, about: aboutProject, sentForm }: Props) {
  const { texts } = useLanguage()
  const filter = useSyncExternalStore(onNavigation, filterNow, () => category ?? 'all')
  const { openSlug, open, close } = useOpenProject(isGone ? unknownName : arrived?.project.slug)
  const cache = useCache()
  const sayUnreachable = useCallback(
    () => toast({ tone: 'destructive', title: texts.gallery.failed, description: texts.gallery.failedHint }),
    [texts],
  )
  const ProjectDialog = useProjectDialog(openSlug, sayUnreachable)

  useEffect(() => {
    if (!openSlug) document.title = texts.page.title
  }, [openSlug, texts])

  const chooseFilter = (next: Filter) => {
    navigate({ category: undefined, shown: undefined, ...categoryOf(next) }, { replace: true })
    void cache.read(projectsRead(next))
    void cache.read(countsRead)
  }
  const reach: ReachForProject = (project) =>
    void loadProjectDialog().then(
      ({ prefetchProject }) => prefetchProject(cache, project, filter),
      () => {},
    )

  return (
    <>
      {/* First, so that a shared link shows the project while the rest of the HTML is loading. */}
      {openSlug && ProjectDialog && (
        <ProjectDialog
          slug={openSlug}
          filter={filter}
          arrived={arrived}
          isGone={isGone}
          featured={featured ?? []}
          onOpen={open}
          onUnreachable={sayUnreachable}
          onClose={close}
        />
      )}
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:bg-brass focus:px-4 focus:py-3 focus:text-ink"
      >
        {texts.navigation.skip}
      </a>
      <Navigation />
      <main id="content" tabIndex={-1} className="outline-none">
        {hero}
        <Suspense>{featured && <Featured projects={featured} onOpen={open} onIntent={reach} />}</Suspense>
        {services}
        {process}
        {pricing}
        <Suspense>
          <Gallery filter={filter} onFilter={chooseFilter} onOpen={open} onIntent={reach} />
        </Suspense>
        {about}
        <Suspense>
          <Contact about={aboutProject} sentForm={sentForm} />
        </Suspense>
        {/* Not in the footer, which is hydrated when it is near: only the browser knows the address. */}
        <div className="page-width">
          <PrintedContact />
        </div>
      </main>
      {footer}
    </>
  )
}

const filterNow = (): Filter => categories.find((each) => each === queryNow().get('category')) ?? 'all'
