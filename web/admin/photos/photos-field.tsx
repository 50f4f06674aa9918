import { arrayMove } from '@dnd-kit/sortable'
import { GripVertical, ImagePlus, RotateCcw, Trash2, X } from 'lucide-react'
import { Fragment, type Ref, useId, useImperativeHandle, useRef, useState } from 'react'
import { type Language, languageName } from '#contract/languages.ts'
import { mostPhotos } from '#contract/project-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { cn } from '../../ui/cn.ts'
import { FieldError, Input, Required } from '../../ui/field.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { MoveButtons, Sortable, useSortableItem } from '../../ui/sortable.tsx'
import { useDroppedFiles } from '../../ui/use-dropped-files.ts'
import { ActionError } from '../action-error.tsx'
import { useAdminTexts, useUploadTexts } from '../texts.ts'
import { AddressField } from './photo-field.tsx'
import type { PhotoUploads } from './photo-uploads.ts'
import { captionIn, keysOf, type Photo, photoOf, withCaption } from './photos.rules.ts'
import { Thumbnail } from './thumbnail.tsx'
import { UploadDialog, UploadState, useUploadFault } from './upload-dialog.tsx'

type CaptionFaults = { [L in Language]?: string | undefined }

type Props = {
  /** The first is the cover. */
  photos: readonly Photo[]
  onChange(next: readonly Photo[]): void
  uploads: PhotoUploads
  shownIn: readonly Language[]
  captionFaults: readonly CaptionFaults[]
  error?: string | undefined
  /** Takes the focus on a fault. */
  ref?: Ref<{ focus(): void }>
}

/** Each photo is uploaded by itself as soon as it is chosen. */
export function PhotosField({ photos, onChange, uploads, shownIn, captionFaults, error, ref }: Props) {
  const admin = useAdminTexts()
  const texts = useUploadTexts()
  const t = texts.photos
  const faultOf = useUploadFault()
  const id = useId()
  const part = useRef<HTMLFieldSetElement>(null)
  const [left, setLeft] = useState<readonly string[]>([])
  const [removed, setRemoved] = useState<{ photo: Photo; index: number }>()
  const [replacing, setReplacing] = useState(false)
  const keys = keysOf(photos)
  const room = mostPhotos + 1 - photos.length - uploads.underWay - uploads.failed.length
  const add = (files: readonly File[]) => setLeft(uploads.add(files, room))
  const held = useDroppedFiles(part, add)
  useImperativeHandle(ref, () => ({
    focus() {
      const first = (selector: string) => part.current?.querySelector<HTMLElement>(selector)
      const target = first('[aria-invalid="true"]') ?? first('button')
      target?.focus()
    },
  }))

  /** The pressed button disappears: keeps the focus in this part. */
  const focusPart = () => part.current?.focus({ preventScroll: true })
  const retry = (ids: readonly string[]) => {
    uploads.retry(ids)
    focusPart()
  }
  const change = (next: readonly Photo[]) => {
    onChange(next)
    setRemoved(undefined)
  }
  const move = (from: number, to: number) => change(arrayMove([...photos], from, to))
  const remove = (index: number) => {
    const photo = photos[index]
    change(photos.toSpliced(index, 1))
    if (photo) setRemoved({ photo, index })
  }
  const setCover = (imageUrl: string) =>
    change([photoOf({ imageUrl }), ...photos.slice(1).filter((photo) => photo.imageUrl !== imageUrl)])

  // In place of the row, so that nothing moves.
  const undoBar = removed && (
    <li className="border-t border-(--line) py-3">
      <div role="status">
        <Callout
          actions={
            <Button
              icon={RotateCcw}
              autoFocus
              tone="quiet"
              onClick={() => {
                change(photos.toSpliced(removed.index, 0, removed.photo))
                focusPart()
              }}
            >
              {t.undo}
            </Button>
          }
        >
          {t.removed}
        </Callout>
      </div>
    </li>
  )

  return (
    <fieldset
      ref={part}
      tabIndex={-1}
      data-focus-home
      aria-describedby={`${id}-hint`}
      className={cn('relative min-w-0 outline-none', held && 'outline-2 outline-offset-8 outline-brass outline-dashed')}
    >
      <legend className="mb-1 text-[0.9375rem] font-medium">
        {t.title}
        <Required>{admin.common.required}</Required>
      </legend>
      <p id={`${id}-hint`} className="mb-3 text-sm text-(--quiet)">
        {t.hint(mostPhotos)}
      </p>
      {(photos.length > 0 || removed) && (
        <Sortable
          ids={keys}
          onMove={(key, to) => move(keys.indexOf(key), to)}
          said={(_, position) => t.position(position, photos.length)}
        >
          <ol className="mb-3 border-b border-(--line)">
            {photos.map((photo, index) => (
              <Fragment key={keys[index]}>
                {removed?.index === index && undoBar}
                <PhotoRow
                  id={keys[index] ?? ''}
                  photo={photo}
                  position={index + 1}
                  count={photos.length}
                  shownIn={shownIn}
                  faults={captionFaults[index]}
                  onChange={(next) => onChange(photos.with(index, next))}
                  onCover={() => move(index, 0)}
                  onReplace={() => setReplacing(true)}
                  onRemove={() => remove(index)}
                />
              </Fragment>
            ))}
            {removed && removed.index >= photos.length && undoBar}
          </ol>
        </Sortable>
      )}
      {uploads.uploads.length > 0 && (
        <ul className="mb-3 border-y border-(--line)">
          {uploads.uploads.map((upload) => {
            const { id: uploadId, name, state } = upload
            const fault = faultOf(upload)
            const leaveOut = () => {
              uploads.remove([uploadId])
              focusPart()
            }
            return (
              <li key={uploadId} className="flex min-h-14 items-center gap-x-3 border-(--line) py-1.5 not-first:border-t">
                <div className="mr-auto min-w-0 flex-1">
                  <p className="truncate text-[0.9375rem]">{name}</p>
                  {fault ? <p className="text-sm text-(--danger)">{fault}</p> : <UploadState upload={upload} />}
                </div>
                {state === 'failed' && (
                  <Button icon={RotateCcw} tone="quiet" aria-label={`${t.retry}: ${name}`} onClick={() => retry([uploadId])}>
                    <span className="max-sm:sr-only">{t.retry}</span>
                  </Button>
                )}
                <IconButton icon={X} label={`${t.leaveOut}: ${name}`} tip={t.leaveOut} onClick={leaveOut} />
              </li>
            )
          })}
        </ul>
      )}
      <div role="alert" className="grid gap-3 not-empty:mb-3">
        {left.length > 0 && <ActionError>{t.left(left.join(', '), mostPhotos)}</ActionError>}
        {uploads.underWay === 0 && uploads.failed.length > 0 && (
          <Callout
            tone="danger"
            actions={
              <Button icon={RotateCcw} onClick={() => retry(uploads.failed.map((each) => each.id))}>
                {t.retryAll}
              </Button>
            }
          >
            {t.failed(uploads.failed.length)}
          </Callout>
        )}
      </div>
      <div
        className={cn(
          'grid justify-items-center gap-3 border border-dashed border-(--quiet) bg-(--raised) p-4 text-center text-sm text-(--quiet)',
          photos.length === 0 && uploads.uploads.length === 0 && 'squared min-h-64 content-center lg:min-h-80',
          held && 'border-brass bg-brass/10',
          error && 'border-2 border-(--danger)',
        )}
      >
        {room <= 0 ? (
          <p>{t.full(mostPhotos)}</p>
        ) : (
          <>
            <FileButton
              icon={ImagePlus}
              accept="image/*"
              multiple
              onFiles={add}
              tone={photos.length === 0 ? 'brass' : 'plain'}
              aria-describedby={error && `${id}-error`}
            >
              {t.add}
            </FileButton>
            <p className="max-w-xs">{held ? t.dropNow : t.drop}</p>
          </>
        )}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <div className="mt-1 -ml-4 grid justify-items-start">
        {photos.length === 0 && (
          <Button
            icon={ImagePlus}
            tone="quiet"
            aria-label={`${texts.upload}: ${admin.projectForm.labels.imageUrl}`}
            onClick={() => setReplacing(true)}
          >
            {texts.upload}
          </Button>
        )}
        {room > 0 && <AddressField onAdd={(imageUrl) => change([...photos, photoOf({ imageUrl })])} />}
      </div>
      {replacing && (
        <UploadDialog label={admin.projectForm.labels.imageUrl} onClose={() => setReplacing(false)} onUploaded={setCover} />
      )}
    </fieldset>
  )
}

type RowProps = {
  id: string
  photo: Photo
  position: number
  count: number
  shownIn: readonly Language[]
  faults: CaptionFaults | undefined
  onChange(next: Photo): void
  onCover(): void
  onReplace(): void
  onRemove(): void
}

/** The cover is large, and shows no caption. */
function PhotoRow({ id, photo, position, count, shownIn, faults, onChange, onCover, onReplace, onRemove }: RowProps) {
  const texts = useUploadTexts()
  const t = texts.photos
  const { projectForm, photo: words } = useAdminTexts()
  const { language } = useLanguage()
  const { entry, grip, area, dragging } = useSortableItem(id)
  const isCover = position === 1
  const name = t.position(position, count)
  return (
    <li
      {...entry}
      className={cn(
        'grid items-start gap-x-3 gap-y-2 border-t border-(--line) bg-bone py-3',
        !isCover && 'grid-cols-[auto_minmax(0,1fr)]',
        dragging && 'shadow-dialog',
      )}
    >
      <div className={cn('relative', !isCover && 'flex items-center')}>
        <span
          {...grip}
          aria-hidden
          className={cn(
            'grid place-items-center text-(--quiet)',
            isCover ? 'absolute top-0 left-0 z-1 size-11 bg-bone/80 text-ink' : '-ml-2 h-16 w-9',
          )}
        >
          <GripVertical className="size-5" />
        </span>
        <span {...area} className="relative block cursor-grab">
          <Thumbnail
            address={photo.imageUrl}
            alt={name}
            {...(isCover ? { width: 960, unavailable: words.unavailable } : {})}
            className={isCover ? 'w-full' : 'w-24 min-[23rem]:w-30'}
          />
          <span
            aria-hidden={!isCover}
            className={cn(
              'lettering absolute bottom-0 left-0 px-1.5',
              isCover ? 'bg-brass py-0.5 text-ink' : 'bg-ink text-bone',
            )}
          >
            {isCover ? t.cover : position}
          </span>
        </span>
      </div>
      <div className="grid min-w-0 gap-2">
        {!isCover &&
          shownIn.map((each) => (
            <Caption
              key={each}
              label={shownIn.length > 1 ? projectForm.translated(t.caption, languageName(each, language)) : t.caption}
              of={name}
              language={each}
              fault={faults?.[each]}
              value={captionIn(photo, each)}
              onChange={(caption) => onChange(withCaption(photo, each, caption))}
            />
          ))}
        {isCover && shownIn.some((each) => captionIn(photo, each)) && (
          <p className="text-sm text-(--quiet)">{t.coverCaption}</p>
        )}
        <div className="-mr-2 flex flex-wrap items-center">
          <Button
            tone="quiet"
            className="-ml-2 px-2!"
            aria-label={isCover ? `${texts.replace}: ${projectForm.labels.imageUrl}` : `${t.makeCover}: ${name}`}
            onClick={isCover ? onReplace : onCover}
          >
            {isCover ? texts.replace : t.makeCover}
          </Button>
          <div className="ml-auto flex">
            <MoveButtons
              id={id}
              earlier={{ label: t.earlier(position), tip: t.earlierTip }}
              later={{ label: t.later(position), tip: t.laterTip }}
            />
            <IconButton icon={Trash2} label={t.remove(position)} tip={t.removeTip} onClick={onRemove} />
          </div>
        </div>
      </div>
    </li>
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
      {fault && <FieldError id={id}>{fault}</FieldError>}
    </div>
  )
}
