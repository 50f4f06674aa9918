import { type ComponentType, useState } from 'react'
import { backupType } from '#contract/backups.ts'
import type { MergePreview } from '#contract/restores.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { LaterBody } from '../../later-body.tsx'
import { useAdminTexts, useBackupTexts } from '../../texts.ts'
import { useLater } from '../../use-later.ts'

export type MergePartProps = {
  /** Of the list; a file is chosen otherwise. */
  filename?: string | undefined
  onClose(): void
  /** Keeps it open while closing would leave something half-told. */
  hold(isHeld: boolean): void
}

type Props = Omit<MergePartProps, 'hold'> & { mode: MergePreview['mode'] }

const parts: Record<Props['mode'], () => Promise<ComponentType<MergePartProps>>> = {
  import: () => import('./import-part.tsx').then(({ ImportPart }) => ImportPart),
  restore: () => import('./restore-part.tsx').then(({ RestorePart }) => RestorePart),
}

/** The dialog of an import or a restore. */
export function LaterMerge({ mode, filename, onClose }: Props) {
  const t = useBackupTexts()
  const { common } = useAdminTexts()
  const { Part, ...later } = useLater(parts[mode])
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
        <LaterBody {...later} loading={t.merge.loading} failed={t.merge.failed} />
      )}
    </Dialog>
  )
}
