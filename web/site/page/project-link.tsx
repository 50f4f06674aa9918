import type { ReactNode } from 'react'
import { categoryOf, type Filter } from '../../api/project-lists.ts'
import { useLanguage } from '../../language/language.tsx'
import type { ListedProject } from '../../page.ts'
import { cn } from '../../ui/cn.ts'
import type { OpenProject, ReachForProject } from '../model/use-open-project.ts'
import { instead } from './navigate.ts'

type Props = {
  project: ListedProject
  /** The list it stands in. */
  filter?: Filter
  /** How many of it an address has to ask for. */
  shown?: string | undefined
  label?: string
  className?: string
  onOpen: OpenProject
  onIntent: ReachForProject
  children: ReactNode
}

/** The whole card opens the project; its title is the link that says so. */
export function ProjectLink({ project, filter = 'all', shown, label, className, onOpen, onIntent, children }: Props) {
  const { link } = useLanguage()
  const { slug } = project
  const reach = () => onIntent(project)
  return (
    <a
      href={link('/', { ...categoryOf(filter), ...(shown && { shown }), project: slug })}
      aria-label={label}
      onClick={instead(({ currentTarget }) => onOpen(slug, currentTarget.closest('article')?.querySelector('img')))}
      onPointerEnter={reach}
      onFocus={reach}
      className={cn(
        'after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-4 focus-visible:after:outline-(--focus)',
        className,
      )}
    >
      {children}
    </a>
  )
}
