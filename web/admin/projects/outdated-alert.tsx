import { useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ActionError } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { useLoadProject } from './project-calls.ts'

type Props = { id: string; onLoad(present: Project): void }

/** Stays until the project is saved or loaded anew. What was typed is replaced only after a question. */
export function OutdatedAlert({ id, onLoad }: Props) {
  const t = useAdminTexts()
  const notices = useNotices()
  const load = useLoadProject(id)
  const [asking, setAsking] = useState(false)
  const close = () => {
    load.reset()
    setAsking(false)
  }
  const confirm = () =>
    load.mutate(undefined, {
      onSuccess: (present) => {
        if (!present) return notices.fail(t.projectForm.gone)
        close()
        onLoad(present)
      },
      onError: (error) => notices.failed(error, t.projectForm.loadFailed),
    })
  const gone = load.isSuccess && !load.data && t.projectForm.gone
  return (
    <div
      role="alert"
      className="max-h-[35dvh] min-h-0 items-center gap-6 overflow-y-auto border-t border-l-4 border-t-(--line) border-l-(--danger) bg-(--danger)/8 py-3 pr-5 pl-4 sm:flex sm:pr-8 sm:pl-7"
    >
      <div className="mr-auto">
        <p className="font-medium">{t.projectForm.outdated}</p>
        <p className="mt-1 text-[0.9375rem]">{t.projectForm.outdatedCure}</p>
      </div>
      <Button size="small" className="shrink-0 max-sm:mt-3" onClick={() => setAsking(true)}>
        {t.projectForm.load}
      </Button>
      <ConfirmDialog
        open={asking}
        onCancel={close}
        onConfirm={confirm}
        title={t.projectForm.loadTitle}
        text={t.projectForm.loadText}
        cancelLabel={t.projectForm.stay}
        confirmLabel={load.isPending ? t.common.loading : t.projectForm.loadConfirm}
        busy={load.isPending}
      >
        <ActionError>{load.isError ? t.projectForm.loadFailed : gone}</ActionError>
      </ConfirmDialog>
    </div>
  )
}
