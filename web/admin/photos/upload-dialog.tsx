import { Camera, ImagePlus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { CallError } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { FileButton } from '../../ui/file-button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useDroppedFiles } from '../../ui/use-dropped-files.ts'
import { Dialog, DialogActions, DialogBody, DialogError } from '../dialog.tsx'
import { useNotices } from '../notices.ts'
import { sentenceOf, useAdminTexts, useUploadTexts } from '../texts.ts'
import { type Upload, usePhotoUploads } from './photo-uploads.ts'
import { causeOf, refusalOf } from './send-photo.ts'

type Props = { label: string; onClose(): void; onUploaded(objectPath: string): void }

/** One photo, chosen and looked at: nothing is sent before it is confirmed. Closing it aborts the upload. */
export function UploadDialog({ label, onClose, onUploaded }: Props) {
  const admin = useAdminTexts()
  const texts = useUploadTexts()
  const t = texts.one
  const part = useRef<HTMLDivElement>(null)
  const faultOf = useUploadFault()
  const notices = useNotices()
  const [file, setFile] = useState<File>()
  const [refused, setRefused] = useState<string>()
  const connection = useConnectionNews()
  const uploads = usePhotoUploads((objectPath) => {
    onUploaded(objectPath)
    onClose()
    notices.done(texts.done)
    return undefined
  })
  const [upload] = uploads.uploads
  const isSending = uploads.underWay > 0

  const refusalFor = (chosen: File, others: number) => {
    if (isSending) return t.noMore
    if (file && isSame(file, chosen)) return t.duplicate(chosen.name)
    if (file || others > 0) return t.onlyOne
    const refusal = refusalOf(chosen)
    return refusal && faultOf({ name: chosen.name, refusal })
  }
  const choose = ([chosen, ...others]: File[]) => {
    if (!chosen) return
    const refusal = refusalFor(chosen, others.length)
    setRefused(refusal)
    if (!refusal) setFile(chosen)
  }
  const remove = () => {
    uploads.remove(uploads.uploads.map(({ id }) => id))
    setFile(undefined)
    setRefused(undefined)
    part.current?.focus()
  }
  const send = () => {
    setRefused(undefined)
    if (upload) uploads.retry([upload.id])
    else if (file) uploads.add([file], 1)
  }
  const held = useDroppedFiles(part, choose)
  const fault = upload && faultOf(upload)

  return (
    <Dialog onClose={onClose} title={`${texts.title}: ${label}`} description={texts.text}>
      <DialogBody className="grid content-start gap-3">
        <div
          ref={part}
          tabIndex={-1}
          className={cn(
            'grid min-h-56 place-items-center gap-4 border bg-(--raised) outline-none',
            file ? 'border-(--line)' : 'squared border-dashed border-(--quiet) p-6 text-center',
            held && 'border-brass bg-brass/10',
          )}
        >
          {file ? (
            <Preview file={file} />
          ) : (
            <div className="grid justify-items-center gap-4">
              <p className="max-w-xs text-(--quiet)">{held ? t.dropNow : t.drop}</p>
              <div className="flex flex-wrap justify-center gap-3">
                <FileButton icon={ImagePlus} accept="image/*" data-focus-first onFiles={choose}>
                  {t.choose}
                </FileButton>
                {/* On a computer the file dialog is enough. */}
                <FileButton
                  icon={Camera}
                  accept="image/*"
                  capture="environment"
                  className="pointer-fine:hidden"
                  onFiles={choose}
                >
                  {t.take}
                </FileButton>
              </div>
            </div>
          )}
        </div>
        {file && (
          <div className="flex items-center gap-x-3">
            <div className="mr-auto min-w-0 flex-1">
              <p className="truncate text-[0.9375rem]">{file.name}</p>
              {upload && <UploadState upload={upload} sending={t.sending} />}
            </div>
            <IconButton icon={X} label={t.remove} tip={t.remove} onClick={remove} />
          </div>
        )}
        <p role="status" className="text-sm text-(--quiet) empty:hidden">
          {connection && t[connection]}
        </p>
      </DialogBody>
      <div role="alert">
        <DialogError>{refused ?? (fault && `${t.failed(upload.name)}\n${fault}`)}</DialogError>
      </div>
      <DialogActions>
        <Button onClick={onClose}>{admin.common.cancel}</Button>
        {upload?.state !== 'refused' && (
          <Button tone="brass" disabled={!file || isSending} onClick={send}>
            {upload?.state === 'failed' ? t.retry : t.send}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function Preview({ file }: { file: File }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return <img src={address} alt={file.name} className="max-h-72 min-h-0 object-contain" />
}

const isSame = (one: File, other: File) =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified

/** Said when it changes, and while there is none. */
function useConnectionNews() {
  const [news, setNews] = useState<'offline' | 'online' | undefined>(navigator.onLine ? undefined : 'offline')
  useEffect(() => {
    const listen = ({ type }: Event) => setNews(type as 'offline' | 'online')
    const closed = new AbortController()
    addEventListener('online', listen, closed)
    addEventListener('offline', listen, closed)
    return () => closed.abort()
  }, [])
  return news
}

/** Why a photo was refused or did not arrive; undefined for one on its way. */
export function useUploadFault() {
  const texts = useUploadTexts()
  const admin = useAdminTexts()
  return ({ name, refusal, error }: Pick<Upload, 'name' | 'refusal' | 'error'>) => {
    if (refusal) return refusal === 'tooLarge' ? texts.tooLarge(name) : texts.refusals[refusal]
    if (error === undefined) return undefined
    const cause = causeOf(error)
    return sentenceOf(cause, cause instanceof CallError ? texts.unanswered : texts.interrupted, admin)
  }
}

const progressLooks = cn(
  'h-1.5 w-28 max-w-full appearance-none sm:w-40 bg-(--line) [&::-webkit-progress-bar]:bg-(--line)',
  '[&::-webkit-progress-value]:bg-brass-deep [&::-moz-progress-bar]:bg-brass-deep',
)

/** How far a photo is on its way; why it did not arrive is said beside it. */
export function UploadState({ upload: { name, state, sent }, sending }: { upload: Upload; sending?: string }) {
  const texts = useUploadTexts()
  const t = texts.photos
  if (state === 'refused' || state === 'failed') return <p className="text-sm text-(--danger)">{texts.failed}</p>
  const percent = t.sending(Math.round(sent * 100))
  return (
    <p className="flex items-center gap-3 text-sm text-(--quiet)">
      {state === 'sending' && <progress value={sent} aria-label={name} className={progressLooks} />}
      {state === 'waiting' ? t.waiting : sent === 1 ? t.checking : [sending, percent].filter(Boolean).join(' · ')}
    </p>
  )
}
