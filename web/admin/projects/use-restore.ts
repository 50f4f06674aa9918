import type { Project } from '#contract/projects.ts'
import { useLanguage } from '../../language/language.tsx'
import { projectTexts } from '../../site/model/project-texts.ts'
import { withReason } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { isGone, useRestoreProject } from './project-calls.ts'

/** Takes a project out of the trash and says where it is. Answers whether it is there again. */
export function useRestore() {
  const t = useAdminTexts()
  const notices = useNotices()
  const { language } = useLanguage()
  const { mutateAsync, isPending, variables } = useRestoreProject()
  const restore = async (project: Project) => {
    const { title } = projectTexts(project, language)
    try {
      await mutateAsync(project.id)
    } catch (error) {
      notices.failed(error, isGone(error) ? t.projects.notInTrash : withReason(t.projects.restoreFailed, error, t))
      return false
    }
    notices.done(project.draft ? t.projects.restoredDraft(title) : t.projects.restored(title))
    return true
  }
  return { restore, restoring: isPending ? variables : undefined }
}
