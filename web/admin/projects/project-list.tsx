import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useState } from 'react'
import type { Category } from '#contract/first-visit.ts'
import type { Project } from '#contract/projects.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { focusHome } from '../block.tsx'
import { usePart } from '../lazy.tsx'
import { ListStates, SearchBox, ShowMore, useDebounced } from '../list.tsx'
import { useNotices } from '../notices.ts'
import { overviewQuery } from '../overview-calls.ts'
import { useAdminTexts } from '../texts.ts'
import { moved, type Place, placeAt, titleOf } from './project.rules.ts'
import { type ProjectSearch, useMoveProject, useProjectPages } from './project-calls.ts'
import { ProjectTile } from './project-tile.tsx'

/** Longer lists get a search box. */
const searchedBeyond = 12

const noFilter: ProjectSearch = { search: '', category: '', draft: false }

type Props = {
  /** Lists all projects, whatever the search. */
  ordering: boolean
  onOrdered(): void
  onEdit(project: Project): void
  onDelete(project: Project): void
}

export function ProjectList({ ordering, onOrdered, onEdit, onDelete }: Props) {
  const t = useAdminTexts()
  const { Part: ProjectOrder } = usePart('ProjectOrder')
  const [typed, setTyped] = useState(noFilter)
  const filter = { ...typed, search: useDebounced(typed.search), ...(ordering && noFilter) }
  const notices = useNotices()
  const { data: overview } = useQuery(overviewQuery)
  const { query, projects, count, frontPage } = useProjectPages(filter)
  const { language } = useLanguage()
  const { pending, move: send } = useMoveProject()
  const listed = projects && pending.reduce(moved, projects)
  const narrowed = filter.search.trim() !== '' || filter.category !== '' || filter.draft
  const all = overview?.projects ?? count
  // The front page shows unmarked projects only when none is featured.
  const isUnmarked = listed?.some(({ id, featured }) => frontPage.includes(id) && !featured)

  const move = (id: string, place: Place) => notices.attempt(send({ id, place }), t.projects.moveFailed)
  const moveToTop = async (project: Project) => {
    if (await move(project.id, 'first')) notices.done(t.projects.movedToTop(titleOf(project, language, t)))
  }
  const finishOrdering = ({ currentTarget }: MouseEvent) => {
    focusHome(currentTarget)
    onOrdered()
  }
  const moveTo = async (id: string, to: number) => {
    let ids = listed?.map((each) => each.id) ?? []
    if (to >= ids.length) {
      const { data } = await query.fetchNextPage()
      ids = data?.pages.flatMap((page) => page.projects.map((each) => each.id)) ?? ids
      if (to >= ids.length) return notices.fail(t.projects.moveFailed)
    }
    await move(id, placeAt(ids, id, to))
  }
  return (
    <>
      {!ordering && (all > searchedBeyond || typed.search !== '' || narrowed) && (
        <div className="grid items-center gap-3 border-b max-md:in-data-short:hidden border-(--line) py-4 sm:grid-cols-[minmax(0,1fr)_15rem] lg:grid-cols-[minmax(0,1fr)_15rem_auto]">
          <SearchBox label={t.projects.search} value={typed.search} onChange={(search) => setTyped({ ...typed, search })} />
          <Select
            aria-label={t.projects.category}
            value={typed.category}
            onChange={({ target }) => setTyped({ ...typed, category: target.value as Category | '' })}
            options={[['', t.projects.allCategories], ...Object.entries(t.categories)]}
          />
          <div className="flex min-h-11 items-center justify-between gap-4 sm:col-span-2 lg:col-auto lg:pl-1">
            {(typed.draft || (overview?.drafts ?? 0) > 0) && (
              <Button
                aria-pressed={typed.draft}
                onClick={() => setTyped({ ...typed, draft: !typed.draft })}
                className="aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-bone"
              >
                {t.projects.drafts(overview?.drafts ?? 0)}
              </Button>
            )}
            <p role="status" className="lettering text-(--quiet)">
              {query.data && t.projects.count(count, Math.max(all, count))}
            </p>
          </div>
        </div>
      )}
      {ordering && <p className="border-b border-(--line) py-4 text-(--quiet)">{t.projects.orderHint}</p>}
      {isUnmarked && <p className="border-b border-(--line) py-3 text-sm text-(--quiet)">{t.projects.frontPageUnmarked}</p>}
      <ListStates
        query={{ ...query, data: listed }}
        words={{ ...t.projects, empty: narrowed ? t.projects.noMatch : t.projects.empty }}
      >
        {(shown) => (
          <>
            {ordering && ProjectOrder ? (
              <ProjectOrder
                projects={shown}
                count={count}
                frontPage={frontPage}
                onMove={(id, to) => void moveTo(id, to)}
                onMoveToTop={moveToTop}
              />
            ) : (
              <ul className="mt-5 grid grid-cols-2 gap-3 max-md:in-data-short:*:nth-[n+5]:hidden sm:gap-5 md:grid-cols-3 xl:grid-cols-4">
                {shown.map((project, index) => (
                  <ProjectTile
                    key={project.id}
                    project={project}
                    frontPage={frontPage}
                    onEdit={onEdit}
                    onDelete={onDelete}
                    onMoveToTop={index > 0 || narrowed ? moveToTop : undefined}
                  />
                ))}
              </ul>
            )}
            <ShowMore list={query} shown={shown.length} label={t.projects.more(count - shown.length)} />
          </>
        )}
      </ListStates>
      {ordering && (
        <div className="mt-6 flex justify-end">
          <Button onClick={finishOrdering}>{t.projects.orderDone}</Button>
        </div>
      )}
    </>
  )
}
