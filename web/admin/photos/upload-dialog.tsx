import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ActionError } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { isSignedOut, leavePanel } from '../session.ts'
import { useAdminTexts, useUploadTexts } from '../texts.ts'
import { causeOf, NoUploadAddress } from './send-photo.ts'
import { failureSentence } from './upload-texts.ts'

type Props = { label: string; onClose(): void; onUploaded(objectPath: string): void }

/** Closing it aborts the upload. */
export function UploadDialog({ label, onClose, onUploaded }: Props) {
  const admin = useAdminTexts()
  const texts = useUploadTexts()
  const notices = useNotices()
  const [problem, setProblem] = useState<string>()
  const [attempt, setAttempt] = useState(0)

  const showProblem = (error: unknown) => {
    if (error === undefined) return setProblem(undefined)
    if (isSignedOut(causeOf(error))) leavePanel('sessionEnded')
    else if (error instanceof NoUploadAddress) notices.fail(texts.noAddress)
    setProblem(failureSentence(error, texts, admin))
  }

  return (
    <Dialog open onClose={onClose} title={`${texts.title}: ${label}`} description={texts.text} closeLabel={admin.common.close}>
      <div className="grid min-h-0 gap-4 overflow-y-auto px-5 py-6 sm:px-8">
        <Widget
          key={attempt}
          onUploaded={onUploaded}
          onProblem={showProblem}
          onRefused={setProblem}
          onRetry={() => setAttempt(attempt + 1)}
        />
        <div role="alert">
          <ActionError>{problem}</ActionError>
        </div>
      </div>
    </Dialog>
  )
}

type WidgetProps = {
  onUploaded(objectPath: string): void
  onProblem(error: unknown): void
  onRefused(sentence: string): void
  onRetry(): void
}

/** Uppy is larger than the rest of the panel: it is loaded when the dialog opens. */
function Widget({ onUploaded, onProblem, onRefused, onRetry }: WidgetProps) {
  const admin = useAdminTexts()
  const texts = useUploadTexts()
  const target = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'ready' | 'missing'>('loading')
  const uploaded = useEffectEvent(onUploaded)
  const problem = useEffectEvent(onProblem)
  const refused = useEffectEvent(onRefused)

  useEffect(() => {
    let isMounted = true
    let uploader: { stop(): void } | undefined
    import('./uploader.ts').then(
      ({ startUploader }) => {
        if (!isMounted || !target.current) return
        setState('ready')
        uploader = startUploader({
          target: target.current,
          texts,
          onUploaded: uploaded,
          onProblem: problem,
          onRefused: refused,
        })
      },
      () => isMounted && setState('missing'),
    )
    return () => {
      isMounted = false
      uploader?.stop()
    }
  }, [texts])

  return (
    <>
      {state === 'loading' && <p className="text-(--quiet)">{texts.loading}</p>}
      {state === 'missing' && (
        <div role="alert">
          <p className="mb-4">{texts.loadFailed}</p>
          <Button size="small" onClick={onRetry}>
            {admin.common.retry}
          </Button>
        </div>
      )}
      <div ref={target} data-slot="uploader" className={state === 'missing' ? 'hidden' : undefined} />
    </>
  )
}
