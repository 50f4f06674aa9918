import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { type Category, categories, type Project } from '#contract/projects.ts'
import { Input, Select } from '../../ui/field.tsx'
import { useAdminTexts } from '../texts.ts'
import { matching } from './project.rules.ts'
import { ProjectRow } from './project-row.tsx'

/** Up to here a list is read; beyond, it is searched. */
const searchedBeyond = 12

type Props = { projects: Project[]; onEdit(project: Project): void; onDelete(project: Project): void }

export function ProjectList({ projects, onEdit, onDelete }: Props) {
  const t = useAdminTexts()
  const [words, setWords] = useState('')
  const [category, setCategory] = useState<Category | ''>('')
  const searchable = projects.length > searchedBeyond
  const shown = searchable ? matching(projects, words, category) : projects
  return (
    <>
      {searchable && (
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
            {t.projects.count(shown.length, projects.length)}
          </p>
        </div>
      )}
      {shown.length > 0 ? (
        <ul className="lg:grid lg:grid-cols-2 lg:gap-x-12">
          {shown.map((project) => (
            <ProjectRow key={project.id} project={project} onEdit={onEdit} onDelete={onDelete} />
          ))}
        </ul>
      ) : (
        <p className="border-b border-(--line) px-2 py-10 text-center text-(--quiet)">{t.projects.noMatch}</p>
      )}
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
        placeholder={t.projects.search}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="pl-11"
      />
    </div>
  )
}
