import { useQuery } from '@tanstack/react-query'
import { ArrowUpDown, Check, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
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
import { heedRefusal } from '../session.ts'
import { useAdminTexts } from '../texts.ts'
import { titleOf } from './project.rules.ts'
import { loadProject, trashCountQuery, useProjectChange, useRestore } from './project-calls.ts'
import type { EditedProject } from './project-form-dialog.tsx'
import { ProjectList } from './project-list.tsx'
import { tileIdOf } from './project-tile.tsx'
import { dropUnsaved, keepUnsaved, readUnsaved, type Unsaved, waitingUnsaved } from './unsaved.ts'

/** Undefined for a new project. */
type Writing = { project: EditedProject | undefined }

/** What was edited. Where it cannot be read (it was deleted), saving shows what can be done. */
async function editedIn({ id, version, began }: Unsaved): Promise<EditedProject | undefined> {
  if (id === undefined) return undefined
  const project = await loadProject(id).catch(heedRefusal)
  return project ?? { ...began, id, version, slug: id }
}

export function ProjectsBlock({ className }: { className: string }) {
  const t = useAdminTexts()
  const { data: overview } = useQuery(overviewQuery)
  const { data: inTrash = 0 } = useQuery(trashCountQuery)
  const [writing, setWriting] = useState<Writing>()
  const [deleting, setDeleting] = useState<Project>()
  const [ordering, setOrdering] = useState(false)
  const [inTheTrash, setInTheTrash] = useState(false)
  const [waiting, setWaiting] = useState(waitingUnsaved)
  const lookForWaiting = () => setWaiting(waitingUnsaved())
  const comeBack = (id: string) => {
    lookForWaiting()
    // After the list, which has been read by now, is rendered.
    setTimeout(() => document.getElementById(tileIdOf(id))?.focus())
  }
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
      {waiting && !writing && (
        <LeftBehind
          sentence={t.projects.unsavedWaiting(textOf(waiting.values, 'title') ?? '')}
          goOn={t.projects.unsavedContinue}
          onGoOn={async () => {
            const project = await editedIn(waiting)
            // Another form may have been opened meanwhile.
            setWriting((open) => open ?? { project })
          }}
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
