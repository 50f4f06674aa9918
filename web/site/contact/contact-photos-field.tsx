import { ImagePlus, RotateCw, X } from 'lucide-react'
import { type ChangeEvent, useState, useSyncExternalStore } from 'react'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Field } from '../../ui/field.tsx'
import { useContactFormTexts } from './contact-form-texts.ts'
import { type ContactPhoto, canRetry, type holdPhotos, roomIn } from './photo-queue.ts'

/** Without HEIC in the list, phones convert to JPEG. */
const accepted = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

const none: readonly ContactPhoto[] = []

type Props = {
  held: ReturnType<typeof holdPhotos>
  /** Before, it is a plain file input that shows its own selection. */
  isReady: boolean
  className: string
}

export function ContactPhotosField({ held, isReady, className }: Props) {
  const words = useContactFormTexts().photos
  const photos = useSyncExternalStore(held.subscribe, held.photos, () => none)
  const [error, setError] = useState<string>()
  const [isOver, setOver] = useState(false)
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const hadRoom = held.add([...(currentTarget.files ?? [])])
    setError(hadRoom ? undefined : words.tooMany)
    setOver(false)
    // Otherwise the same file cannot be chosen again.
    currentTarget.value = ''
  }
  return (
    <div className={className}>
      <Field label={words.label} hint={words.hint} error={error}>
        {(slot) => (
          <div
            className={cn(
              'relative flex min-h-14 items-center justify-center rounded-[2px] border border-dashed border-(--quiet) px-4',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-(--focus)',
              'transition-colors duration-200 hover:bg-(--raised) has-disabled:opacity-60',
              isOver && 'border-solid bg-(--raised)',
            )}
          >
            {isReady && (
              <span aria-hidden="true" className="flex items-center gap-2 text-[0.9375rem] font-medium">
                <ImagePlus className="size-4" />
                {words.add}
              </span>
            )}
            <input
              {...slot}
              type="file"
              name="photos"
              multiple
              accept={accepted}
              disabled={roomIn(photos) <= 0}
              onChange={take}
              onDragEnter={() => setOver(true)}
              onDragLeave={() => setOver(false)}
              onDrop={() => setOver(false)}
              className={cn(
                'cursor-pointer file:cursor-pointer',
                isReady
                  ? 'absolute inset-0 opacity-0'
                  : 'w-full file:mr-4 file:min-h-9 file:rounded-[2px] file:border file:border-current/40 file:px-4 file:font-medium',
              )}
            />
          </div>
        )}
      </Field>
      {photos.length > 0 && (
        <ul aria-label={words.label} className="mt-4 border-t border-(--line)">
          {photos.map((photo) => (
            <Row
              key={photo.id}
              photo={photo}
              onRetry={() => held.retry(photo.id)}
              onRemove={() => {
                held.remove([photo.id])
                setError(undefined)
              }}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

type RowProps = { photo: ContactPhoto; onRetry(): void; onRemove(): void }

function Row({ photo: { name, preview, state, sent, fault }, onRetry, onRemove }: RowProps) {
  const words = useContactFormTexts().photos
  const [hasPreview, setPreview] = useState(true)
  const isRefused = state === 'refused' && fault
  return (
    <li className="flex gap-4 border-b border-(--line) py-3">
      <span className="squared relative grid size-16 shrink-0 overflow-hidden border border-(--line) bg-(--raised)">
        {hasPreview && (
          <img
            src={preview}
            alt=""
            onError={() => setPreview(false)}
            className={cn('size-full object-cover transition-opacity duration-300', state !== 'there' && 'opacity-50')}
          />
        )}
        {state === 'sending' && (
          <span
            aria-hidden="true"
            className="absolute inset-x-0 bottom-0 h-1 origin-left bg-brass transition-transform duration-200"
            style={{ transform: `scaleX(${sent})` }}
          />
        )}
      </span>
      <span className="flex min-h-16 min-w-0 flex-1 flex-col items-start justify-center">
        <span className="max-w-full truncate text-[0.9375rem]">{name}</span>
        <span aria-live="polite" className={cn('text-sm', isRefused ? 'font-medium text-(--danger)' : 'text-(--quiet)')}>
          {isRefused ? words.faults[fault] : state === 'there' ? words.uploaded : words.uploading}
        </span>
        {isRefused && canRetry(fault) && (
          <Button className="mt-2" aria-label={words.retryPhoto(name)} onClick={onRetry}>
            <RotateCw aria-hidden />
            {words.retry}
          </Button>
        )}
      </span>
      <Button tone="quiet" className="mt-2.5 -mr-2 w-11 shrink-0 px-0" aria-label={words.remove(name)} onClick={onRemove}>
        <X aria-hidden />
      </Button>
    </li>
  )
}
