import { useEffect, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import type { ProjectInput } from '#contract/project-fields.ts'
import type { Project } from '#contract/projects.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { DialogError } from '../action-error.tsx'
import { showFieldFaults, withReason } from '../failures.ts'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { OutdatedAlert } from './outdated-alert.tsx'
import { isOutdated, useSaveProject } from './project-calls.ts'
import { judgeForm, type ProjectValues, sameValues, valuesOf } from './project-form.rules.ts'
import { ProjectFormFields } from './project-form-fields.tsx'
import { dropUnsaved, keepUnsaved, readUnsaved } from './unsaved.ts'

/** What the form began with: the project as it was then. The texts in it are of an unsaved form when one was restored. */
type Start = { version: number; saved: ProjectValues; restored: boolean }

const startOf = (project: Project | undefined): Start => ({
  version: project?.version ?? 0,
  saved: valuesOf(project),
  restored: false,
})

/** Creates a project when none is given, else edits it. Mounted while it is open, so that each opening starts afresh. */
export function ProjectFormDialog({ project, onClose }: { project: Project | undefined; onClose(): void }) {
  const t = useAdminTexts()
  const notices = useNotices()
  const [unsaved] = useState(() => readUnsaved(project?.id))
  const [start, setStart] = useState<Start>(() => ({
    ...startOf(project),
    ...(unsaved && { version: unsaved.version, restored: true }),
  }))
  const [outdated, setOutdated] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const failed = project ? t.projects.updateFailed : t.projects.createFailed
  const save = useSaveProject(project?.id, start.version)
  const form = useForm<ProjectValues, unknown, ProjectInput>({
    resolver: judgeForm,
    defaultValues: valuesOf({ ...start.saved, ...unsaved?.values }),
  })

  useEffect(() => {
    const keep = ({ values }: { values: ProjectValues }) => {
      if (sameValues(values, start.saved)) dropUnsaved(project?.id)
      else keepUnsaved({ id: project?.id, version: start.version, values })
    }
    return form.subscribe({ formState: { values: true }, callback: keep })
  }, [form, start, project?.id])

  const finish = () => {
    dropUnsaved(project?.id)
    onClose()
  }
  const askToClose = () => {
    if (save.isPending) return
    if (sameValues(form.getValues(), start.saved)) finish()
    else setLeaving(true)
  }
  const startFrom = (present: Project | undefined) => {
    const next = startOf(present)
    form.reset(next.saved)
    // After the reset, which is a change as well and keeps a unsaved.
    dropUnsaved(project?.id)
    setStart(next)
    setOutdated(false)
  }
  const submit = form.handleSubmit((entered) =>
    save.mutate(entered, {
      onSuccess: () => {
        notices.done(project ? t.projects.updated : t.projects.created)
        finish()
      },
      onError: (error) => {
        if (isOutdated(error)) setOutdated(true)
        else showFieldFaults(error, t, form)
        notices.failed(error, failed)
      },
    }),
  )

  return (
    <Dialog
      open
      onClose={askToClose}
      title={project ? t.projectForm.editTitle : t.projectForm.createTitle}
      description={project ? t.projectForm.editText : t.projectForm.createText}
      closeLabel={t.common.close}
      width="wide"
    >
      <FormProvider {...form}>
        <form onSubmit={submit} noValidate className="contents">
          <DialogBody>
            {start.restored && !outdated && (
              <div role="status" className="mb-6 border-l-4 border-brass bg-brass/10 px-4 py-3">
                <p>{t.projectForm.restored}</p>
                <Button tone="quiet" size="small" className="mt-1 -ml-4" onClick={() => startFrom(project)}>
                  {t.projectForm.discardRestored}
                </Button>
              </div>
            )}
            <ProjectFormFields key={`${start.version} ${start.restored}`} />
          </DialogBody>
          {outdated && project ? (
            <OutdatedAlert id={project.id} onLoad={startFrom} />
          ) : (
            <DialogError>{save.error && withReason(failed, save.error, t)}</DialogError>
          )}
          <DialogActions>
            <Button size="small" onClick={askToClose} disabled={save.isPending}>
              {t.common.cancel}
            </Button>
            <Button type="submit" tone="brass" size="small" disabled={save.isPending}>
              {save.isPending ? t.projectForm.saving : t.projectForm.save}
            </Button>
          </DialogActions>
        </form>
      </FormProvider>
      <ConfirmDialog
        open={leaving}
        onCancel={() => setLeaving(false)}
        onConfirm={finish}
        title={t.projectForm.leaveTitle}
        text={t.projectForm.leaveText}
        cancelLabel={t.projectForm.stay}
        confirmLabel={t.projectForm.leave}
      />
    </Dialog>
  )
}
