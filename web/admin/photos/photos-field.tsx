import { GripVertical, ImagePlus, RotateCcw, Trash2, X } from 'lucide-react'
import { Fragment, type ReactNode, type Ref, useId, useImperativeHandle, useRef, useState } from 'react'
import { defaultLanguage, type Language, languageName, languages } from '#contract/languages.ts'
import { mostPhotos } from '#contract/project-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { cn } from '../../ui/cn.ts'
import { Input } from '../../ui/field.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { MoveButtons, Sortable, useSortableItem } from '../../ui/sortable.tsx'
import { useDroppedFiles } from '../../ui/use-dropped-files.ts'
import { ActionError } from '../action-error.tsx'
import { useAdminTexts, useUploadTexts } from '../texts.ts'
import type { PhotoUploads, Upload } from './photo-uploads.ts'
import { captionIn, exchangeCover, keysOf, movePhoto, type Photo, type Shown, withCaption } from './photos.rules.ts'
import { Thumbnail } from './thumbnail.tsx'
import { UploadState, useUploadFault } from './upload-state.tsx'

type Faults = { imageUrl: string | undefined; captions: { [L in Language]?: string | undefined } }

type Props = {
  value: Shown
  onChange(next: Shown): void
  uploads: PhotoUploads
  /** What is wrong with each photo. */
  faults: readonly Faults[]
  error?: string | undefined
  /** Takes the focus on a fault. */
  ref?: Ref<{ focus(): void }>
}

/** The last change that can be undone. */
type Undo = { sentence: string; index: number; undo(now: Shown): Shown }

/** The photos of a project beside its cover. Each is uploaded by itself as soon as it is chosen. */
export function PhotosField({ value, onChange, uploads, faults, error, ref }: Props) {
  const texts = useUploadTexts()
  const t = texts.photos
  const id = useId()
  const part = useRef<HTMLFieldSetElement>(null)
  const [left, setLeft] = useState<readonly string[]>([])
  const [undo, setUndo] = useState<Undo>()
  const { photos } = value
  const keys = keysOf(photos)
  const room = mostPhotos - photos.length - uploads.underWay - uploads.failed.length
  const add = (files: readonly File[]) => setLeft(uploads.add(files, room))
  const held = useDroppedFiles(part, add)
  useImperativeHandle(ref, () => ({
    focus: () => (part.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? part.current)?.focus(),
  }))

  /** The pressed button disappears: keeps the focus in this part. */
  const focusPart = () => part.current?.focus({ preventScroll: true })
  const retry = (ids: readonly string[]) => {
    uploads.retry(ids)
    focusPart()
  }
  const change = (next: Shown, taken?: Undo) => {
    onChange(next)
    setUndo(taken)
  }
  const remove = (index: number) => {
    const photo = photos[index]
    if (!photo) return
    const undo = (now: Shown) => ({ ...now, photos: now.photos.toSpliced(index, 0, photo) })
    change({ ...value, photos: photos.toSpliced(index, 1) }, { sentence: t.removed, index, undo })
  }
  const makeCover = (index: number) => {
    const { next, undo } = exchangeCover(value, index)
    change(next, { sentence: t.covered, index, undo })
  }

  // In place of the row, so that nothing moves.
  const undoBar = undo && (
    <li className="border-t border-(--line) py-3">
      <div role="status">
        <Callout
          actions={
            <Button
              autoFocus
              size="small"
              tone="quiet"
              onClick={() => {
                change(undo.undo(value))
                focusPart()
              }}
            >
              <RotateCcw aria-hidden />
              {t.undo}
            </Button>
          }
        >
          {undo.sentence}
        </Callout>
      </div>
    </li>
  )

  return (
    <fieldset
      ref={part}
      tabIndex={-1}
      aria-describedby={`${id}-hint`}
      className={cn('relative min-w-0 outline-none', held && 'outline-2 outline-offset-8 outline-brass outline-dashed')}
    >
      <legend className="mb-1 text-[0.9375rem] font-medium">{t.title}</legend>
      <p id={`${id}-hint`} className="mb-3 text-sm text-(--quiet)">
        {t.hint(mostPhotos)}
      </p>
      {(photos.length > 0 || undo) && (
        <Sortable
          ids={keys}
          onMove={(key, to) => change({ ...value, photos: movePhoto(photos, keys.indexOf(key), to) })}
          said={(_, position) => t.position(position, photos.length)}
        >
          <ol className="mb-3 border-b border-(--line)">
            {photos.map((photo, index) => (
              <Fragment key={keys[index]}>
                {undo?.index === index && undoBar}
                <PhotoRow
                  id={keys[index] ?? ''}
                  photo={photo}
                  position={index + 1}
                  count={photos.length}
                  faults={faults[index]}
                  onChange={(next) => change({ ...value, photos: photos.with(index, next) }, undo)}
                  onCover={() => makeCover(index)}
                  onRemove={() => remove(index)}
                />
              </Fragment>
            ))}
            {undo && undo.index >= photos.length && undoBar}
          </ol>
        </Sortable>
      )}
      {uploads.uploads.length > 0 && (
        <ul className="mb-3 border-y border-(--line)">
          {uploads.uploads.map((upload) => (
            <UploadRow
              key={upload.id}
              upload={upload}
              onRetry={() => retry([upload.id])}
              onLeaveOut={() => {
                uploads.remove([upload.id])
                focusPart()
              }}
            />
          ))}
        </ul>
      )}
      <div role="alert" className="grid gap-3 not-empty:mb-3">
        {left.length > 0 && <ActionError>{t.left(left.join(', '), mostPhotos)}</ActionError>}
        {uploads.underWay === 0 && uploads.failed.length > 0 && (
          <Callout
            tone="danger"
            actions={
              <Button size="small" onClick={() => retry(uploads.failed.map((each) => each.id))}>
                <RotateCcw aria-hidden />
                {t.retryAll}
              </Button>
            }
          >
            {t.failed(uploads.failed.length)}
          </Callout>
        )}
      </div>
      {error && <Fault>{error}</Fault>}
      <AddPhotos held={held} full={room <= 0} onFiles={add} />
    </fieldset>
  )
}

function AddPhotos({ held, full, onFiles }: { held: boolean; full: boolean; onFiles(files: File[]): void }) {
  const t = useUploadTexts().photos
  return (
    <div
      className={cn(
        'flex flex-wrap items-center gap-x-4 gap-y-2 border border-dashed border-(--quiet) p-3',
        held && 'border-brass bg-brass/10',
      )}
    >
      {full ? (
        <p className="text-sm text-(--quiet)">{t.full(mostPhotos)}</p>
      ) : (
        <>
          <FileButton accept="image/*" multiple onFiles={onFiles}>
            <ImagePlus aria-hidden />
            {t.add}
          </FileButton>
          <p className="text-sm text-(--quiet)">{held ? t.dropNow : t.drop}</p>
        </>
      )}
    </div>
  )
}

type RowProps = {
  id: string
  photo: Photo
  position: number
  count: number
  faults: Faults | undefined
  onChange(next: Photo): void
  onCover(): void
  onRemove(): void
}

function PhotoRow({ id, photo, position, count, faults, onChange, onCover, onRemove }: RowProps) {
  const t = useUploadTexts().photos
  const { projectForm } = useAdminTexts()
  const { language } = useLanguage()
  const { entry, grip, area, dragging } = useSortableItem(id)
  const name = t.position(position, count)
  return (
    <li
      {...entry}
      className={cn(
        'grid grid-cols-[auto_1fr] items-start gap-3 border-t border-(--line) bg-bone py-3 md:grid-cols-[auto_1fr_auto]',
        dragging && 'shadow-dialog',
      )}
    >
      <div className="flex items-center">
        <span {...grip} aria-hidden className="-ml-2 grid h-16 w-9 place-items-center text-(--quiet)">
          <GripVertical className="size-5" />
        </span>
        <span {...area} className="relative cursor-grab">
          <Thumbnail address={photo.imageUrl} alt={name} className="w-24 min-[23rem]:w-30 md:w-33" />
          <span aria-hidden className="lettering absolute bottom-0 left-0 bg-ink px-1.5 text-bone">
            {position}
          </span>
        </span>
      </div>
      <div className="grid justify-items-end md:order-last">
        <div className="flex">
          <MoveButtons
            id={id}
            earlier={{ label: t.earlier(position), tip: t.earlierTip }}
            later={{ label: t.later(position), tip: t.laterTip }}
          />
          <IconButton label={t.remove(position)} tip={t.removeTip} onClick={onRemove}>
            <Trash2 aria-hidden />
          </IconButton>
        </div>
        <Button
          tone="quiet"
          size="small"
          className="-mr-1 px-2! min-[23rem]:whitespace-nowrap"
          aria-label={`${t.makeCover}: ${name}`}
          onClick={onCover}
        >
          {t.makeCover}
        </Button>
      </div>
      <div className="col-span-full grid gap-2 md:col-span-1">
        {languages.map((each) => (
          <Caption
            key={each}
            label={each === defaultLanguage ? t.caption : projectForm.translated(t.caption, languageName(each, language))}
            of={name}
            language={each}
            fault={faults?.captions[each]}
            value={captionIn(photo, each)}
            onChange={(caption) => onChange(withCaption(photo, each, caption))}
          />
        ))}
        {faults?.imageUrl && <Fault>{faults.imageUrl}</Fault>}
      </div>
    </li>
  )
}

function Fault({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1 text-sm font-medium text-(--danger)">
      {children}
    </p>
  )
}

type CaptionProps = {
  label: string
  /** Which photo it belongs to. */
  of: string
  language: Language
  fault: string | undefined
  value: string
  onChange(next: string): void
}

/** One line: a label above each would double the length of the list. */
function Caption({ label, of, language, fault, value, onChange }: CaptionProps) {
  const id = useId()
  return (
    <div>
      <div className="relative">
        <span aria-hidden className="lettering absolute inset-y-0 left-3 grid place-items-center text-(--quiet)">
          {language}
        </span>
        <Input
          aria-label={`${label}: ${of}`}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault && id}
          lang={language}
          autoComplete="off"
          placeholder={label}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          className="h-11! pl-11!"
        />
      </div>
      {fault && <Fault id={id}>{fault}</Fault>}
    </div>
  )
}

/** A pending or failed upload. */
function UploadRow({ upload, onRetry, onLeaveOut }: { upload: Upload; onRetry(): void; onLeaveOut(): void }) {
  const t = useUploadTexts().photos
  const { name, state } = upload
  const fault = useUploadFault()(upload)
  return (
    <li className="flex min-h-14 items-center gap-x-3 border-(--line) py-1.5 not-first:border-t">
      <div className="mr-auto min-w-0 flex-1">
        <p className="truncate text-[0.9375rem]">{name}</p>
        {fault ? <p className="text-sm text-(--danger)">{fault}</p> : <UploadState upload={upload} />}
      </div>
      {state === 'failed' && (
        <Button size="small" tone="quiet" aria-label={`${t.retry}: ${name}`} onClick={onRetry}>
          <RotateCcw aria-hidden />
          <span className="max-sm:sr-only">{t.retry}</span>
        </Button>
      )}
      <IconButton label={`${t.leaveOut}: ${name}`} tip={t.leaveOut} onClick={onLeaveOut}>
        <X aria-hidden />
      </IconButton>
    </li>
  )
}
