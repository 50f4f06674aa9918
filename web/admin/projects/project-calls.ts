import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createProject,
  deleteProject,
  type ProjectChanges,
  type ProjectDraft,
  updateProject,
} from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { CallError, call } from '../../api/call.ts'
import { projectsQuery } from '../../api/projects.ts'

/**
 * A change of projects. Every list of them, whatever its category, is read again before the change counts as finished,
 * and also when it failed: most likely the list here was out of date.
 */
function useProjectChange<Given, Answer>(change: (given: Given) => Promise<Answer>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => cache.invalidateQueries({ queryKey: [listProjects.path] }),
  })
}

/** Refused when the project has another version by now. */
export function useSaveProject(id: string | undefined, version: number) {
  return useProjectChange((body: ProjectDraft) =>
    id ? call(updateProject, { params: { id }, body: { ...body, version } }) : call(createProject, { body }),
  )
}

/** The save was refused because the project has been changed since it was opened. */
export function isOutdated(error: unknown) {
  return error instanceof CallError && error.problem?.code === 'project_changed'
}

/** The project as it is now; undefined when it is gone. */
export function useLoadProject(id: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const projects = await cache.fetchQuery({ ...projectsQuery(), staleTime: 0 })
      return projects.find((project) => project.id === id)
    },
  })
}

export function useChangeProject(id: string) {
  return useProjectChange((body: ProjectChanges) => call(updateProject, { params: { id }, body }))
}

export function useDeleteProject() {
  return useProjectChange((id: string) => call(deleteProject, { params: { id } }))
}
