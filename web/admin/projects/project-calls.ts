import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  createProject,
  deleteProject,
  listProjects,
  type ProjectChanges,
  type ProjectDraft,
  updateProject,
} from '#contract/projects.ts'
import { call } from '../../api/call.ts'

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

export function useSaveProject(id: string | undefined) {
  return useProjectChange((body: ProjectDraft) =>
    id ? call(updateProject, { params: { id }, body }) : call(createProject, { body }),
  )
}

export function useChangeProject(id: string) {
  return useProjectChange((body: ProjectChanges) => call(updateProject, { params: { id }, body }))
}

export function useDeleteProject() {
  return useProjectChange((id: string) => call(deleteProject, { params: { id } }))
}
