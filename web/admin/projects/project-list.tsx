import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { type Category, categories } from '#contract/gallery.ts'
import type { Project } from '#contract/projects.ts'
import { cn } from '../../ui/cn.ts'
import { Input, Select } from '../../ui/field.tsx'
import { ListStates } from '../list-states.tsx'
import { overviewQuery } from '../overview-calls.ts'
import { ShowMore } from '../show-more.tsx'
import { useAdminTexts } from '../texts.ts'
import { useDebounced } from '../use-debounced.ts'
import { projectPagesQuery } from './project-calls.ts'
import { ProjectRow } from './project-row.tsx'

/** Up to here a list is read; beyond, it is searched. */
const searchedBeyond = 12

type Props = { onEdit(project: Project): void; onDelete(project: Project): void }

export function ProjectList({ onEdit, onDelete }: Props) {
  const t = useAdminTexts()
  const [words, setWords] = useState('')
  const [category, setCategory] = useState<Category | ''>('')
  const search = useDebounced(words)
  const { data: overview } = useQuery(overviewQuery)
  const list = useInfiniteQuery(projectPagesQuery({ search, category }))
  const projects = list.data?.pages.flatMap((page) => page.projects)
  const count = list.data?.pages.at(-1)?.count ?? 0
  const narrowed = search.trim() !== '' || category !== ''
  const all = overview?.projects ?? count
  return (
    <>
      {(all > searchedBeyond || words !== '' || narrowed) && (
        <div className="grid items-center gap-3 border-b border-(--line) py-4 sm:grid-cols-[minmax(0,1fr)_15rem_auto]">
          <SearchBox value={words} onChange={setWords} />
          <Select
            aria-label={t.projects.category}
            value={category}
            onChange={(event) => setCategory(event.currentTarget.value as Category | '')}
          >
            <option value="">{t.projects.allCategories}</option>
            {categories.map((each) => (
              <option key={each} value={each}>
                {t.categories[each]}
              </option>
            ))}
          </Select>
          <p role="status" className="lettering text-(--quiet) sm:pl-3">
            {list.data && t.projects.count(count, Math.max(all, count))}
          </p>
        </div>
      )}
      <ListStates
        query={{ ...list, data: projects }}
        loading={t.projects.loading}
        failed={t.projects.failed}
        empty={narrowed ? t.projects.noMatch : t.projects.empty}
      >
        {(shown) => (
          <div className={cn('transition-opacity', list.isPlaceholderData && 'opacity-45')} aria-busy={list.isPlaceholderData}>
            <ul className="lg:grid lg:grid-cols-2 lg:gap-x-12">
              {shown.map((project) => (
                <ProjectRow key={project.id} project={project} onEdit={onEdit} onDelete={onDelete} />
              ))}
            </ul>
            <ShowMore list={list} shown={shown.length} label={t.projects.more(count - shown.length)} />
          </div>
        )}
      </ListStates>
    </>
  )
}

function SearchBox({ value, onChange }: { value: string; onChange(next: string): void }) {
  const t = useAdminTexts()
  const id = useId()
  return (
    <div className="relative">
      <label htmlFor={id} className="sr-only">
        {t.projects.search}
      </label>
      <Search className="pointer-events-none absolute top-4 left-4 size-4 text-(--quiet)" aria-hidden />
      <Input
        id={id}
        type="search"
        value={value}
        maxLength={200}
        placeholder={t.projects.search}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="pl-11"
      />
    </div>
  )
}
