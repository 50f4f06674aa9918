import type { ReactNode } from 'react'
import { categoryOf, type Filter } from '../api/projects.ts'
import { useLanguage } from '../language/language.tsx'
import { cn } from '../ui/cn.ts'
import { instead } from './instead.ts'
import type { OpenProject } from './open-project.ts'

type Props = {
  id: string
  /** The list it stands in. */
  filter?: Filter
  label?: string
  className?: string
  onOpen: OpenProject
  onIntent: () => void
  children: ReactNode
}

/** The whole card opens the project; its title is the link that says so. */
export function ProjectLink({ id, filter = 'all', label, className, onOpen, onIntent, children }: Props) {
  const { link } = useLanguage()
  return (
    <a
      href={link('/', { ...categoryOf(filter), project: id })}
      aria-label={label}
      onClick={instead(({ currentTarget }) => onOpen(id, currentTarget.closest('article')?.querySelector('img')))}
      onPointerEnter={onIntent}
      onFocus={onIntent}
      className={cn(
        'after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-4 focus-visible:after:outline-(--focus)',
        className,
      )}
    >
      {children}
    </a>
  )
}
