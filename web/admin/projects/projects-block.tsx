import { useQuery } from '@tanstack/react-query'
import { ArrowUpDown, Check, Plus, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { textOf } from '#contract/project-fields.ts'
import { daysInTrash, deleteProject } from '#contract/projects.admin.ts'
import type { Project } from '#contract/projects.ts'
import { call } from '../../api/call.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Block, LeftBehind } from '../block.tsx'
import { Asked, ConfirmCall } from '../confirm-call.tsx'
import { LazyDialog } from '../lazy.tsx'
import { useNotices } from '../notices.ts'
import { overviewQuery } from '../overview-calls.ts'
import { useAdminTexts } from '../texts.ts'
import { titleOf } from './project.rules.ts'
import { projectQuery, trashCountQuery, useProjectChange, useRestore } from './project-calls.ts'
import type { EditedProject } from './project-form-dialog.tsx'
import { ProjectList } from './project-list.tsx'
import { dropUnsaved, keepUnsaved, readUnsaved, type Unsaved, waitingUnsaved } from './unsaved.ts'

/** Undefined for a new project. */
type Writing = { project: EditedProject | undefined }

/** A project deleted while its form was kept: saving it shows the restore options. */
function goneOf({ id, version, began }: Unsaved): EditedProject | undefined {
  return id === undefined ? undefined : { ...began, id, version, slug: id }
}

export function ProjectsBlock({ className }: { className: string }) {
  const t = useAdminTexts()
  const { data: overview } = useQuery(overviewQuery)
  const { data: inTrash = 0 } = useQuery(trashCountQuery)
  const [writing, setWriting] = useState<Writing>()
  const [deleting, setDeleting] = useState<Project>()
  const [ordering, setOrdering] = useState(false)
  const [inTheTrash, setInTheTrash] = useState(false)
  /** The id of a project just restored by undo. */
  const [returning, setReturning] = useState<string>()
  const [waiting, setWaiting] = useState(waitingUnsaved)

  // The project may not be in the loaded list.
  const { data: project } = useQuery({ ...projectQuery(waiting?.id ?? ''), enabled: waiting?.id !== undefined })
  const waitingFor = waiting && project === null ? goneOf(waiting) : (project ?? undefined)
  const canContinue = waiting && !writing && (waiting.id === undefined || waitingFor)
  const lookForWaiting = () => setWaiting(waitingUnsaved())
  const comeBack = (id: string) => {
    setReturning(id)
    lookForWaiting()
  }
  // Once: its row has taken the focus.
  useEffect(() => {
    if (returning !== undefined) setReturning(undefined)
  }, [returning])
  const closeForm = () => {
    setWriting(undefined)
    lookForWaiting()
  }
  return (
    <Block
      number="01"
      title={t.projects.title}
      whole={t.dashboard.allProjects}
      className={className}
      actions={
        <>
          <Button icon={Trash2} tone="quiet" className="max-md:in-data-short:hidden" onClick={() => setInTheTrash(true)}>
            {t.trash.open(inTrash)}
          </Button>
          {(ordering || (overview?.projects ?? 0) > 1) && (
            <Button
              icon={ordering ? Check : ArrowUpDown}
              className="max-md:in-data-short:hidden"
              onClick={() => setOrdering(!ordering)}
            >
              {ordering ? t.projects.orderDone : t.projects.order}
            </Button>
          )}
          <Button
            icon={Plus}
            tone="brass"
            className="max-sm:order-first max-sm:basis-full!"
            onClick={() => setWriting({ project: undefined })}
          >
            {t.projects.add}
          </Button>
        </>
      }
    >
      {canContinue && (
        <LeftBehind
          sentence={t.projects.unsavedWaiting(textOf(waiting.values, 'title') ?? '')}
          goOn={t.projects.unsavedContinue}
          onGoOn={() => setWriting({ project: waitingFor })}
          onDiscard={() => {
            dropUnsaved(waiting.id)
            lookForWaiting()
          }}
        />
      )}
      <ProjectList
        ordering={ordering}
        onOrdered={() => setOrdering(false)}
        onEdit={(project) => setWriting({ project })}
        onDelete={setDeleting}
        returning={returning}
      />
      {writing && <LazyDialog part="ProjectFormDialog" props={{ project: writing.project, onClose: closeForm }} />}
      {inTheTrash && <LazyDialog part="TrashDialog" props={{ onClose: () => setInTheTrash(false) }} />}
      {deleting && <DeleteProject project={deleting} onClose={() => setDeleting(undefined)} onUndone={comeBack} />}
    </Block>
  )
}

type DeleteProps = { project: Project; onClose(): void; onUndone(id: string): void }

function DeleteProject({ project, onClose, onUndone }: DeleteProps) {
  const t = useAdminTexts()
  const notices = useNotices()
  const { language } = useLanguage()
  const { restore } = useRestore()
  const done = () => {
    const unsaved = readUnsaved(project.id)
    dropUnsaved(project.id)
    const undo = async () => {
      if (!(await restore(project))) return
      if (unsaved) keepUnsaved(unsaved)
      onUndone(project.id)
    }
    notices.done(t.projects.deleted, { undo })
  }
  return (
    <ConfirmCall
      call={useProjectChange((id: string) => call(deleteProject, { params: { id } }))}
      input={project.id}
      title={t.projects.deleteTitle}
      text={t.projects.deleteTrash(daysInTrash)}
      failed={t.projects.deleteFailed}
      onDone={done}
      onClose={onClose}
    >
      <Asked>
        <span className="font-display text-lg">{titleOf(project, language, t)}</span>
      </Asked>
      <p className="text-sm text-(--quiet)">{t.projects.deleteText}</p>
    </ConfirmCall>
  )
}
