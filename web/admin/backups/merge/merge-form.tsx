import { useQuery } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useId, useState } from 'react'
import { Button, buttonClasses } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { DialogActions, DialogBody } from '../../../ui/dialog.tsx'
import { DialogError } from '../../action-error.tsx'
import { useDebounced } from '../../list.tsx'
import { useAdminTexts, useBackupTexts } from '../../texts.ts'
import { statusQuery } from '../backup-calls.ts'
import { Progress } from '../backup-status.tsx'
import { MergePreview } from './merge-preview.tsx'
import type { useMerge, useMergeDialog } from './use-merge.ts'

type Props = {
  dialog: ReturnType<typeof useMergeDialog>
  texts: { submit: string; busy: string }
  /** Of the file in the preview. */
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

/** Choose, preview and start an import or a restore. */
export function MergeForm({ dialog, texts, filename, fault, canSubmit, canGoOn, onSubmit, onClose, children }: Props) {
  const { merge: t } = useBackupTexts()
  const { common } = useAdminTexts()
  const { merge, without, setWithout, isBusy, isHeld, problem } = dialog
  const { source, preview, stage, error } = merge
  const isGoing = isBusy || ((stage === 'sending' || stage === 'looking') && error === undefined)
  // A click just as the preview appears would merge unseen changes.
  const isJustShown = useDebounced(preview, 500) !== preview && preview !== undefined
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
            {stage === 'sending' ? t.resume : t.retry}
          </Button>
        )}
        <Button
          type="submit"
          tone="brass"
          size="small"
          disabled={isGoing || isJustShown || !canSubmit}
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          {isBusy ? texts.busy : texts.submit}
        </Button>
      </DialogActions>
    </form>
  )
}

function MergeProgress({ merge, busy }: { merge: ReturnType<typeof useMerge>; busy: string }) {
  const t = useBackupTexts()
  const { data: state } = useQuery(statusQuery)
  const { stage, error, sent, isResumed, isApplying, isLost } = merge
  const working = isApplying ? state?.working : undefined
  const isGoing = isApplying || ((stage === 'sending' || stage === 'looking') && !error)
  const sentence = () => {
    if (isLost) return t.merge.lost
    if (working) return t.working.line(t.working.kinds[working.kind], t.working.steps[working.step])
    if (isApplying) return busy
    if (stage === 'looking') return t.merge.checking
    return isResumed ? t.merge.resumed : t.merge.uploading
  }
  return (
    <>
      {/* Always rendered, and without numbers: screen readers would announce all of them. */}
      <p role="status" className="sr-only">
        {isGoing && sentence()}
      </p>
      {isGoing && !isApplying && stage === 'sending' && (
        <div>
          <Progress label={sentence()} done={sent} total={1} unit="percent" />
          <p className="mt-2 text-sm text-(--quiet)">{t.merge.resumeHint}</p>
        </div>
      )}
      {isGoing && (isApplying || stage === 'looking') && (
        <Progress label={sentence()} done={working?.done ?? 0} total={working?.total ?? 0} />
      )}
    </>
  )
}

type FileDropProps = {
  label: string
  accept: string
  disabled: boolean
  onFile(file: File): void
  children?: ReactNode
}

/** A file, chosen or dropped. */
export function FileDrop({ label, accept, disabled, onFile, children }: FileDropProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file && !disabled) onFile(file)
  }
  return (
    <fieldset
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn('grid gap-3 border border-dashed border-(--quiet) p-4', over && 'border-brass-deep bg-brass/10')}
    >
      <div className="flex flex-wrap items-center gap-3">
        <input
          id={id}
          type="file"
          accept={accept}
          disabled={disabled}
          className="peer sr-only"
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file) onFile(file)
            // Otherwise choosing the same file again, corrected, is no change and fires no event.
            event.target.value = ''
          }}
        />
        <label
          htmlFor={id}
          className={cn(
            buttonClasses({ size: 'small' }),
            'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-brass-deep peer-disabled:opacity-60',
          )}
        >
          {label}
        </label>
      </div>
      {children}
    </fieldset>
  )
}
