import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { sizeIn } from '#content/sizes.ts'
import { backupType } from '#contract/backups.ts'
import type { MergePreview as Preview } from '#contract/restores.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { Field, Textarea } from '../../../ui/field.tsx'
import { FileButton } from '../../../ui/file-button.tsx'
import { useDroppedFiles } from '../../../ui/use-dropped-files.ts'
import { Dialog, DialogActions, DialogBody, DialogError } from '../../dialog.tsx'
import { useDebounced } from '../../list.tsx'
import { useNotices } from '../../notices.ts'
import { useAdminTexts, useBackupTexts } from '../../texts.ts'
import { workQuery } from '../backup-calls.ts'
import { Progress } from '../backup-status.tsx'
import { changedNothing } from './merge-preview.rules.ts'
import { MergePreview } from './merge-preview.tsx'
import { useMerge } from './use-merge.ts'

/** What was pasted, or the file that was chosen. */
type Draft = { text: string; file?: File }

/** By its name, as the server tells it from an export. */
const isArchive = (filename: string) => /\.zip(\.age)?$/i.test(filename)

const accepted = { import: '.json,.age,application/json', restore: '.zip,.age,application/zip' }

type Props = {
  mode: Preview['mode']
  /** A backup of the list; otherwise a file is chosen, or a text is pasted. */
  filename: string | undefined
  onClose(): void
}

/** Imports or restores a file after a preview of what would change. */
export function MergeDialog({ mode, filename, onClose }: Props) {
  const t = useBackupTexts()
  const texts = t[mode]
  const { common, locale } = useAdminTexts()
  const notices = useNotices()
  const merge = useMerge(mode)
  const { preview, step, stopped } = merge
  const [draft, setDraft] = useState<Draft>({ text: '' })
  const [fault, setFault] = useState<string>()
  const part = useRef<HTMLFieldSetElement>(null)
  const { text, file } = draft
  const isExport = filename !== undefined && backupType(filename) === 'export'
  const isMerging = step === 'merging'
  // Can be closed while the connection is lost: it may not come back.
  const isHeld = isMerging && !merge.isLost
  // A click just as the preview appears would merge unseen changes.
  const isJustShown = useDebounced(preview, 500) !== preview && preview !== undefined

  const write = (next: Draft) => {
    setDraft(next)
    setFault(undefined)
    merge.forget()
  }
  const refuse = (sentence: string) => {
    setFault(sentence)
    notices.fail(sentence)
  }
  const previewText = () => {
    if (!isJson(text)) return refuse(t.import.invalid)
    merge.begin(new File([text], t.import.pastedName))
  }
  const take = ([chosen]: File[]) => {
    if (!chosen || isMerging) return
    const isRefused = mode === 'restore' ? !isArchive(chosen.name) : chosen.size === 0
    if (isRefused) return refuse(mode === 'restore' ? t.restore.notZip : t.import.invalid)
    write({ text: '', file: chosen })
    merge.begin(chosen)
  }
  const held = useDroppedFiles(part, take)
  const beginListed = useEffectEvent(() => filename && merge.begin({ filename }))
  useEffect(() => void beginListed(), [])
  // Previews when typing has paused. JSON that is not complete yet is no fault.
  const settled = useDebounced(draft, 700)
  const previewTyped = useEffectEvent((input: Draft) => {
    if (input === draft && merge.isIdle && isJson(text)) previewText()
  })
  useEffect(() => previewTyped(settled), [settled])

  const submit = () => {
    setFault(undefined)
    if (!preview) return previewText()
    merge.merge((report) => {
      const { projects, contacts, images } = report.imported
      const done = isExport ? t.restore.exportDone : texts.done
      notices.done(done(projects, contacts, images), {
        note: changedNothing(report) ? t.report.unchanged : t.report.site(report.site),
      })
      onClose()
    })
  }
  return (
    <Dialog
      width="wide"
      onClose={() => !isHeld && onClose()}
      title={isExport ? t.restore.exportTitle : texts.title}
      description={texts.dialogText}
    >
      <DialogBody className="grid content-start gap-6">
        {filename === undefined && (
          <fieldset
            ref={part}
            className={cn('grid gap-3 border border-dashed border-(--quiet) p-4', held && 'border-brass-deep bg-brass/10')}
          >
            <FileButton accept={accepted[mode]} disabled={isMerging} className="w-fit" onFiles={take}>
              {texts.choose}
            </FileButton>
            {mode === 'import' && !file ? (
              <Field label={t.import.label}>
                {(slot) => (
                  <Textarea
                    {...slot}
                    value={text}
                    readOnly={isMerging}
                    onChange={(event) => write({ text: event.target.value })}
                    placeholder={t.import.placeholder}
                    spellCheck={false}
                    className={cn('max-h-[45dvh] font-mono text-sm', preview ? 'h-32' : 'h-56')}
                  />
                )}
              </Field>
            ) : (
              <p className="font-mono text-sm text-(--quiet) wrap-anywhere">
                {file ? `${file.name} (${sizeIn(locale, file.size)})` : t.restore.drop}
              </p>
            )}
            {mode === 'import' && file && (
              <Button tone="quiet" className="-ml-4 w-fit" disabled={isMerging} onClick={() => write({ text: '' })}>
                {t.import.another}
              </Button>
            )}
          </fieldset>
        )}
        <MergeProgress merge={merge} busy={texts.busy} />
        {preview && <MergePreview filename={filename ?? file?.name ?? t.import.pastedName} preview={preview} merge={merge} />}
      </DialogBody>
      <DialogError>{fault ?? merge.problem}</DialogError>
      <DialogActions>
        <Button onClick={onClose} disabled={isHeld}>
          {common.cancel}
        </Button>
        {stopped && (file || filename) && <Button onClick={merge.goOn}>{t.merge.retry}</Button>}
        <Button
          tone="brass"
          disabled={step !== undefined || isJustShown || !(preview || text.trim())}
          onClick={({ detail }) => detail < 2 && submit()}
        >
          {isMerging ? texts.busy : texts.submit}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function MergeProgress({ merge, busy }: { merge: ReturnType<typeof useMerge>; busy: string }) {
  const t = useBackupTexts()
  const working = useQuery({ ...workQuery, enabled: false }).data?.working
  const { step, sent, isLost } = merge
  const sentence = () => {
    if (isLost) return t.merge.lost
    if (step === 'sending') return t.merge.uploading
    if (step === 'previewing') return t.merge.checking
    return working ? t.working.line(t.working.kinds[working.kind], t.working.steps[working.step]) : busy
  }
  return (
    <>
      {/* Always rendered, and without numbers: screen readers would announce all of them. */}
      <p role="status" className="sr-only">
        {step && sentence()}
      </p>
      {step && <Progress label={sentence()} {...(step === 'sending' ? { done: sent, total: 1 } : working)} />}
    </>
  )
}

function isJson(text: string) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
