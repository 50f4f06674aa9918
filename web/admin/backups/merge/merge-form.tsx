import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { DialogActions, DialogBody } from '../../../ui/dialog.tsx'
import { DialogError } from '../../action-error.tsx'
import { useAdminTexts, useBackupTexts } from '../../texts.ts'
import { useDebounced } from '../../use-debounced.ts'
import { MergePreview } from './merge-preview.tsx'
import { MergeProgress } from './merge-progress.tsx'
import type { useMergeDialog } from './use-merge-dialog.ts'

type Props = {
  dialog: ReturnType<typeof useMergeDialog>
  texts: { submit: string; busy: string }
  /** Of what is looked at. */
  filename: string
  /** What is wrong with what was chosen. */
  fault: string | undefined
  canSubmit: boolean
  canGoOn: boolean
  onSubmit(): void
  onClose(): void
  /** Where it is chosen. */
  children: ReactNode
}

/** How an import or a restore is looked at, and begun. */
export function MergeForm({ dialog, texts, filename, fault, canSubmit, canGoOn, onSubmit, onClose, children }: Props) {
  const { merge: t } = useBackupTexts()
  const { common } = useAdminTexts()
  const { merge, without, setWithout, isBusy, isHeld, problem } = dialog
  const { source, preview, stage, error } = merge
  const isGoing = isBusy || ((stage === 'sending' || stage === 'looking') && error === undefined)
  // A press that was meant for something else would do what nobody has seen.
  const isUnseen = useDebounced(preview, 500) !== preview && preview !== undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      noValidate
      className="contents"
    >
      <DialogBody className="grid content-start gap-6">
        {children}
        <MergeProgress merge={merge} busy={texts.busy} />
        {source && preview && (
          <MergePreview
            filename={filename}
            source={source}
            preview={preview}
            without={without}
            onChange={setWithout}
            isBusy={isBusy}
          />
        )}
      </DialogBody>
      <DialogError>{fault ?? problem}</DialogError>
      <DialogActions>
        <Button size="small" onClick={onClose} disabled={isHeld}>
          {common.cancel}
        </Button>
        {canGoOn && error !== undefined && (
          <Button size="small" onClick={merge.goOn}>
            {stage === 'sending' ? t.goOn : t.lookAgain}
          </Button>
        )}
        <Button
          type="submit"
          tone="brass"
          size="small"
          disabled={isGoing || isUnseen || !canSubmit}
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          {isBusy ? texts.busy : texts.submit}
        </Button>
      </DialogActions>
    </form>
  )
}
