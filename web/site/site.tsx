import { Suspense, useCallback, useEffect, useState } from 'react'
import type { Category } from '#contract/gallery.ts'
import type { ProjectInList } from '#contract/project-in-list.ts'
import { useCache } from '../api/cache.ts'
import { countsRead, type Filter, projectsRead } from '../api/projects.ts'
import { useLanguage } from '../language/language.tsx'
import type { ListedProject } from '../page.ts'
import { toast } from '../ui/toast-store.ts'
import { Contact } from './contact.tsx'
import { Featured } from './featured.tsx'
import { Footer } from './footer.tsx'
import { Gallery } from './gallery.tsx'
import { Hero } from './hero.tsx'
import { navigate } from './navigate.ts'
import { Navigation } from './navigation.tsx'
import { useOpenProject } from './open-project.ts'
import { Pricing } from './pricing.tsx'
import { loadProjectDialog, useProjectDialog } from './project-dialog-loader.ts'
import { staticPart } from './static-part.tsx'

const loadServices = async () => (await import('./services.tsx')).Services
const loadProcess = async () => (await import('./process.tsx')).Process
const loadAbout = async () => (await import('./about.tsx')).About

const services = staticPart(loadServices, import.meta.env.SSR ? await loadServices() : undefined)
const process = staticPart(loadProcess, import.meta.env.SSR ? await loadProcess() : undefined)
const about = staticPart(loadAbout, import.meta.env.SSR ? await loadAbout() : undefined)

type Props = {
  /** The one the gallery is limited to when the page arrives. */
  category?: Category | undefined
  featured?: ListedProject[] | undefined
  /** The project that was open when the page arrived. */
  arrived: ProjectInList | undefined
}

export function Site({ category, featured = [], arrived }: Props) {
  const { texts } = useLanguage()
  const [filter, setFilter] = useState<Filter>(category ?? 'all')
  const { openId, open, close } = useOpenProject(arrived?.project.id)
  const cache = useCache()
  const sayUnreachable = useCallback(
    () => toast({ tone: 'destructive', title: texts.gallery.failed, description: texts.gallery.failedHint }),
    [texts],
  )
  const ProjectDialog = useProjectDialog(openId, sayUnreachable)

  useEffect(() => {
    if (!openId) document.title = texts.page.title
  }, [openId, texts])

  const chooseFilter = (next: Filter) => {
    setFilter(next)
    navigate({ category: next === 'all' ? undefined : next, shown: undefined }, { replace: true })
    void cache.read(projectsRead(next))
    void cache.read(countsRead)
  }
  const reach = useCallback(() => void loadProjectDialog().catch(() => {}), [])

  return (
    <>
      {/* First, because the page of a shared link is shown as it arrives. */}
      {openId && ProjectDialog && (
        <ProjectDialog
          id={openId}
          filter={filter}
          arrived={arrived}
          featured={featured}
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
        <Suspense>
          <Hero />
        </Suspense>
        <Suspense>
          <Featured projects={featured} onOpen={open} onIntent={reach} />
        </Suspense>
        {services}
        {process}
        <Suspense>
          <Pricing />
        </Suspense>
        <Suspense>
          <Gallery filter={filter} onFilter={chooseFilter} onOpen={open} onIntent={reach} />
        </Suspense>
        {about}
        <Suspense>
          <Contact />
        </Suspense>
      </main>
      <Suspense>
        <Footer />
      </Suspense>
    </>
  )
}
