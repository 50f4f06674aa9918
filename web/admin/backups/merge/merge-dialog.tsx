import { type ComponentType, useState } from 'react'
import { backupType } from '#contract/backups.ts'
import type { MergePreview } from '#contract/restores.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { LazyBody, useLazy } from '../../lazy.tsx'
import { useAdminTexts, useBackupTexts } from '../../texts.ts'

export type MergeDialogProps = {
  /** A listed backup; otherwise a file is chosen. */
  filename?: string | undefined
  onClose(): void
  /** Keeps the dialog open while the server merges. */
  hold(isHeld: boolean): void
}

type Props = Omit<MergeDialogProps, 'hold'> & { mode: MergePreview['mode'] }

const parts: Record<Props['mode'], () => Promise<ComponentType<MergeDialogProps>>> = {
  import: () => import('./import-dialog.tsx').then(({ ImportDialog }) => ImportDialog),
  restore: () => import('./restore-dialog.tsx').then(({ RestoreDialog }) => RestoreDialog),
}

/** The dialog of an import or a restore. */
export function MergeDialog({ mode, filename, onClose }: Props) {
  const t = useBackupTexts()
  const { common } = useAdminTexts()
  const { Part, ...lazy } = useLazy(parts[mode])
  const isExport = filename !== undefined && backupType(filename) === 'export'
  const [isHeld, hold] = useState(false)
  return (
    <Dialog
      open
      width="wide"
      onClose={() => !isHeld && onClose()}
      title={isExport ? t.restore.exportTitle : t[mode].title}
      description={t[mode].dialogText}
      closeLabel={common.close}
    >
      {Part ? (
        <Part filename={filename} onClose={onClose} hold={hold} />
      ) : (
        <LazyBody {...lazy} loading={t.merge.loading} failed={t.merge.failed} />
      )}
    </Dialog>
  )
}
