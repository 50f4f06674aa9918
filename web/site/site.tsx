import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { type Filter, projectsQuery } from '../api/projects.ts'
import { useLanguage } from '../language/language.tsx'
import { About } from './about.tsx'
import { Contact } from './contact.tsx'
import { Featured } from './featured.tsx'
import { Footer } from './footer.tsx'
import { Gallery } from './gallery.tsx'
import { Hero } from './hero.tsx'
import { Navigation } from './navigation.tsx'
import { useOpenProject } from './open-project.ts'
import { Pricing } from './pricing.tsx'
import { Process } from './process.tsx'
import { loadProjectDialog, useProjectDialog } from './project-dialog-loader.ts'
import { projectTexts } from './project-texts.ts'
import { Services } from './services.tsx'

export function Site() {
  const { texts, language } = useLanguage()
  const [filter, setFilter] = useState<Filter>('all')
  const { openId, open, close } = useOpenProject()
  const cache = useQueryClient()
  const { data: all = [] } = useQuery(projectsQuery())
  const { data: filtered = all } = useQuery(projectsQuery(filter))

  const among = filtered.some((project) => project.id === openId) ? filtered : all
  const index = among.findIndex((project) => project.id === openId)
  const project = among[index]
  const ProjectDialog = useProjectDialog(project?.id)

  const title = project ? texts.page.projectTitle(projectTexts(project, language).title) : texts.page.title
  useEffect(() => {
    document.title = title
  }, [title])

  const chooseFilter = (next: Filter) => {
    setFilter(next)
    void cache.invalidateQueries({ queryKey: projectsQuery(next).queryKey, exact: true, refetchType: 'all' })
  }
  const move = (step: number) => {
    const next = among.at((index + step) % among.length)
    if (next) open(next.id)
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
          <Featured onOpen={open} onIntent={reach} />
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
      {project && ProjectDialog && (
        <ProjectDialog project={project} position={index + 1} count={among.length} onClose={close} onMove={move} />
      )}
    </>
  )
}
