import { useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
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
  const confirm = () =>
    load.mutate(undefined, {
      onSuccess: (present) => (present ? onLoad(present) : notices.fail(t.projectForm.gone)),
      onError: () => notices.fail(t.projectForm.loadFailed),
      onSettled: () => setAsking(false),
    })
  return (
    <div
      role="alert"
      className="max-h-[40dvh] overflow-y-auto border-t border-l-4 border-t-(--line) border-l-(--danger) bg-(--danger)/8 px-4 py-3 sm:px-7"
    >
      <p className="font-medium">{t.projectForm.outdated}</p>
      <p className="mt-1 text-[0.9375rem]">{t.projectForm.outdatedCure}</p>
      <Button size="small" className="mt-3" onClick={() => setAsking(true)}>
        {t.projectForm.load}
      </Button>
      <ConfirmDialog
        open={asking}
        onCancel={() => setAsking(false)}
        onConfirm={confirm}
        title={t.projectForm.loadTitle}
        text={t.projectForm.loadText}
        cancelLabel={t.projectForm.stay}
        confirmLabel={load.isPending ? t.common.loading : t.projectForm.loadConfirm}
        busy={load.isPending}
      />
    </div>
  )
}
