import { ImageOff, ImagePlus, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { PhotoName } from '#contract/site-fields.ts'
import { Button } from '../../ui/button.tsx'
import { useNotices } from '../notices.ts'
import { UploadDialog } from '../photos/upload-dialog.tsx'
import { useUploadTexts, useYourSiteTexts } from '../texts.ts'
import { addressOf, pointOf } from './built-photos.ts'
import { Marked } from './marked.tsx'
import { PointPicker } from './point-picker.tsx'
import { useSiteField } from './site-context.ts'

const phone = ['phone'] as const
const desktop = ['desktop'] as const
const both = ['phone', 'desktop'] as const

/** A photo of the page, another in its place, and the point of it that no screen cuts off. */
export function PhotoPart({ photo }: { photo: PhotoName }) {
  const t = useYourSiteTexts()
  const uploadTexts = useUploadTexts()
  const notices = useNotices()
  const image = useSiteField(`photos.${photo}.image`)
  const point = useSiteField(`photos.${photo}.point`)
  const wide = useSiteField('photos.hero.image')
  const tall = useSiteField('photos.heroTall.image')
  const [uploading, setUploading] = useState(false)
  const [failed, setFailed] = useState<string>()
  const label = t.labels[`photos.${photo}.image`]
  const address = addressOf(photo, image.value, 1600)
  const isOwn = image.isOwn || point.isOwn
  // As web/site/hero-photo.tsx does it.
  const isForAll = wide.isOwn && !tall.isOwn
  const screens = photo === 'hero' && !isForAll ? desktop : photo === 'heroTall' ? phone : both
  const uploaded = (objectPath: string) => {
    setUploading(false)
    image.change(objectPath)
    point.change('50 50')
    notices.done(uploadTexts.done)
  }
  const goBack = () => {
    image.change(null)
    point.change(null)
  }
  return (
    <div className="min-w-0">
      <fieldset className="min-w-0">
        <legend className="mb-2 w-full text-[0.9375rem] font-medium">
          <Marked isOpen={image.isOpen || point.isOpen} isOwn={isOwn}>
            {label}
          </Marked>
        </legend>
        {photo === 'heroTall' && isForAll ? (
          <p className="text-sm text-(--quiet)">{t.photo.widePhoto}</p>
        ) : failed === address ? (
          <p className="squared grid aspect-[3/2] max-w-md place-items-center border border-(--line) text-sm text-(--quiet)">
            <span>
              <ImageOff className="mx-auto mb-2 size-5" aria-hidden />
              {t.photo.missing}
            </span>
          </p>
        ) : (
          <PointPicker
            photo={photo}
            address={address}
            point={pointOf(photo, image.value, point.value)}
            screens={screens}
            onChange={point.change}
            onFailed={() => setFailed(address)}
          />
        )}
        <div className="mt-4 flex flex-wrap gap-2">
          <Button size="small" aria-label={`${t.photo.replace}: ${label}`} onClick={() => setUploading(true)}>
            <ImagePlus aria-hidden />
            {t.photo.replace}
          </Button>
          {isOwn && (
            <Button tone="quiet" size="small" aria-label={`${t.photo.back}: ${label}`} onClick={goBack}>
              <RotateCcw aria-hidden />
              {t.photo.back}
            </Button>
          )}
        </div>
      </fieldset>
      {uploading && <UploadDialog label={label} onClose={() => setUploading(false)} onUploaded={uploaded} />}
    </div>
  )
}
