import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { countsQuery, type Filter, inListQuery, projectsQuery } from '../api/projects.ts'
import { useLanguage } from '../language/language.tsx'
import { About } from './about.tsx'
import { Contact } from './contact.tsx'
import { Featured } from './featured.tsx'
import { Footer } from './footer.tsx'
import { Gallery } from './gallery.tsx'
import { Hero } from './hero.tsx'
import { Navigation } from './navigation.tsx'
import { useOpenProject } from './open-project.ts'
import { countOf, placeIn } from './place-in-list.rules.ts'
import { Pricing } from './pricing.tsx'
import { Process } from './process.tsx'
import { loadProjectDialog, useProjectDialog } from './project-dialog-loader.ts'
import { projectTexts } from './project-texts.ts'
import { Services } from './services.tsx'

export function Site({ featured = [] }: { featured?: Project[] | undefined }) {
  const { texts, language } = useLanguage()
  const [filter, setFilter] = useState<Filter>('all')
  const { openId, open, close } = useOpenProject()
  const cache = useQueryClient()
  const { data: all = [] } = useQuery(projectsQuery())
  const { data: filtered = all, isPlaceholderData } = useQuery(projectsQuery(filter))
  const { data: counts } = useQuery(countsQuery)

  const isOpen = (project: Project) => project.id === openId
  const among = !isPlaceholderData && filtered.some(isOpen) ? filter : 'all'
  const list = among === filter ? filtered : all
  const atHand = openId ? placeIn(list, countOf(list.length, counts?.[among]), openId) : undefined
  const { data: told } = useQuery({ ...inListQuery(openId ?? '', filter), enabled: Boolean(openId) && !atHand })
  // Who leafs through a category stays in it, also beyond what is loaded of it.
  const place = among === filter ? (atHand ?? told) : (told ?? atHand)
  const project = place?.project ?? list.find(isOpen) ?? featured.find(isOpen)
  const ProjectDialog = useProjectDialog(project?.id)

  const title = project ? texts.page.projectTitle(projectTexts(project, language).title) : texts.page.title
  useEffect(() => {
    document.title = title
  }, [title])

  const chooseFilter = (next: Filter) => {
    setFilter(next)
    for (const { queryKey } of [projectsQuery(next), countsQuery]) {
      void cache.invalidateQueries({ queryKey, exact: true, refetchType: 'all' })
    }
  }
  /** What is open stays until the next is at hand; without a connection it stays altogether. */
  const move = async (id: string) => {
    const isLoaded = list.some((each) => each.id === id)
    const arrived = isLoaded || (await cache.ensureQueryData(inListQuery(id, filter)).catch(() => false))
    if (arrived && new URL(location.href).searchParams.get('project') === openId) open(id)
  }
  const reach = useCallback(() => void loadProjectDialog().catch(() => {}), [])

  return (
    <>
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
          <Services />
        </Suspense>
        <Suspense>
          <Featured projects={featured} onOpen={open} onIntent={reach} />
        </Suspense>
        <Suspense>
          <Process />
        </Suspense>
        <Suspense>
          <Pricing />
        </Suspense>
        <Suspense>
          <Gallery filter={filter} onFilter={chooseFilter} onOpen={open} onIntent={reach} />
        </Suspense>
        <Suspense>
          <About />
        </Suspense>
        <Suspense>
          <Contact />
        </Suspense>
      </main>
      <Suspense>
        <Footer />
      </Suspense>
      {project && ProjectDialog && <ProjectDialog project={project} place={place} onClose={close} onMove={move} />}
    </>
  )
}
