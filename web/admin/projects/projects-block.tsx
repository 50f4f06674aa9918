import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { useLanguage } from '../../language/language.tsx'
import { projectTexts } from '../../site/project-texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ActionError } from '../action-error.tsx'
import { Block } from '../block.tsx'
import { withReason } from '../failures.ts'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { projectQuery, useDeleteProject } from './project-calls.ts'
import { ProjectFormDialog } from './project-form-dialog.tsx'
import { ProjectList } from './project-list.tsx'
import { dropUnsaved, waitingUnsaved } from './unsaved.ts'

/** What the form is open for: a new project, or one that exists. */
type Writing = { project: Project | undefined }

export function ProjectsBlock({ className }: { className: string }) {
  const t = useAdminTexts()
  const [writing, setWriting] = useState<Writing>()
  const [deleting, setDeleting] = useState<Project>()
  const [waiting, setWaiting] = useState(waitingUnsaved)

  // It may be any project, not only one of those that are shown.
  const { data: found } = useQuery({ ...projectQuery(waiting?.id ?? ''), enabled: waiting?.id !== undefined })
  const waitingFor = found?.id === waiting?.id ? (found ?? undefined) : undefined
  const canContinue = waiting && !writing && (waiting.id === undefined || waitingFor)
  const closeForm = () => {
    setWriting(undefined)
    setWaiting(waitingUnsaved())
  }
  return (
    <Block
      number="01"
      title={t.projects.title}
      className={className}
      actions={
        <Button tone="brass" size="small" onClick={() => setWriting({ project: undefined })}>
          <Plus aria-hidden />
          {t.projects.add}
        </Button>
      }
    >
      {canContinue && (
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-l-4 border-brass bg-brass/10 py-2 pr-2 pl-4">
          <p className="mr-auto min-w-0 py-1 wrap-anywhere">{t.projects.unsavedWaiting(waiting.values.title ?? '')}</p>
          <Button size="small" onClick={() => setWriting({ project: waitingFor })}>
            {t.projects.unsavedContinue}
          </Button>
          <Button
            tone="quiet"
            size="small"
            onClick={() => {
              dropUnsaved(waiting.id)
              setWaiting(waitingUnsaved())
            }}
          >
            {t.projects.unsavedDiscard}
          </Button>
        </div>
      )}
      <ProjectList onEdit={(project) => setWriting({ project })} onDelete={setDeleting} />
      {writing && <ProjectFormDialog project={writing.project} onClose={closeForm} />}
      <DeleteProject project={deleting} onClose={() => setDeleting(undefined)} />
    </Block>
  )
}

function DeleteProject({ project, onClose }: { project: Project | undefined; onClose(): void }) {
  const t = useAdminTexts()
  const notices = useNotices()
  const { language } = useLanguage()
  const remove = useDeleteProject()
  const close = () => {
    remove.reset()
    onClose()
  }
  const confirm = () => {
    if (!project) return
    remove.mutate(project.id, {
      onSuccess: () => {
        dropUnsaved(project.id)
        notices.done(t.projects.deleted)
        close()
      },
      onError: (error) => notices.failed(error, t.projects.deleteFailed),
    })
  }
  return (
    <ConfirmDialog
      open={project !== undefined}
      onCancel={close}
      onConfirm={confirm}
      title={t.projects.deleteTitle}
      text={t.projects.deleteText}
      cancelLabel={t.common.cancel}
      confirmLabel={remove.isPending ? t.common.deleting : t.common.delete}
      busy={remove.isPending}
    >
      {project && (
        <p className="border-l-2 border-(--line) pl-4">
          <span className="font-display text-lg">{projectTexts(project, language).title}</span>
        </p>
      )}
      {remove.error && <ActionError>{withReason(t.projects.deleteFailed, remove.error, t)}</ActionError>}
    </ConfirmDialog>
  )
}
