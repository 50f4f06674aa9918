import { ImagePlus, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import bench from '#content/photos/about-1.jpg?photo'
import hull from '#content/photos/about-2.jpg?photo'
import parts from '#content/photos/about-3.jpg?photo'
import hero from '#content/photos/hero.jpg?photo'
import heroTall from '#content/photos/hero-tall.jpg?photo'
import { jpegOf } from '#contract/first-visit.ts'
import type { PhotoName } from '#contract/site-fields.ts'
import { Button } from '../../ui/button.tsx'
import type { PhotoSource } from '../../ui/photo.tsx'
import { UploadDialog } from '../photos/upload-dialog.tsx'
import { useYourSiteTexts } from '../texts.ts'
import { PointPicker, type Screen } from './point-picker.tsx'
import { ControlGroup, useSiteField } from './text-field.tsx'

export function PhotoPart({ photo }: { photo: PhotoName }) {
  const t = useYourSiteTexts()
  const image = useSiteField(`photos.${photo}.image`)
  const point = useSiteField(`photos.${photo}.point`)
  const wide = useSiteField('photos.hero.image')
  const tall = useSiteField('photos.heroTall.image')
  const [uploading, setUploading] = useState(false)
  const label = t.labels[`photos.${photo}.image`]
  const address = addressOf(photo, image.value, 1600)
  const isOwn = image.isOwn || point.isOwn
  const replace = address ? t.photo.replace : t.photo.choose
  const back = photosItCameWith[photo] ? t.photo.back : t.photo.remove
  // The same rule as in web/site/page/hero-photo.tsx.
  const isForAll = wide.isOwn && !tall.isOwn
  const only: Partial<Record<PhotoName, Screen>> = { heroTall: 'phone', ...(!isForAll && { hero: 'desktop' }) }
  const uploaded = (objectPath: string) => {
    image.change(objectPath)
    point.change('50 50')
  }
  const goBack = () => {
    image.change(null)
    point.change(null)
  }
  return (
    <div className="min-w-0">
      <ControlGroup label={label} marked={{ isOpen: image.isOpen || point.isOpen, isOwn }}>
        {photo === 'heroTall' && isForAll ? (
          <p className="text-sm text-(--quiet)">{t.photo.widePhoto}</p>
        ) : !address ? (
          <p className="max-w-prose text-sm text-(--quiet)">{t.photo.none}</p>
        ) : (
          <PointPicker
            key={address}
            photo={photo}
            address={address}
            point={pointOf(photo, image.value, point.value)}
            screen={only[photo]}
            onChange={point.change}
          />
        )}
        <div className="mt-4 flex flex-wrap gap-2">
          <Button icon={ImagePlus} aria-label={`${replace}: ${label}`} onClick={() => setUploading(true)}>
            {replace}
          </Button>
          {isOwn && (
            <Button icon={RotateCcw} tone="quiet" aria-label={`${back}: ${label}`} onClick={goBack}>
              {back}
            </Button>
          )}
        </div>
      </ControlGroup>
      {uploading && <UploadDialog label={label} onClose={() => setUploading(false)} onUploaded={uploaded} />}
    </div>
  )
}

/** There is no portrait among them. */
const photosItCameWith: Partial<Record<PhotoName, PhotoSource>> = { hero, heroTall, about1: bench, about2: hull, about3: parts }

const pointsItCameWith: Partial<Record<PhotoName, string>> = { hero: '0 50', heroTall: '50 0', about2: '50 60' }

/** The address of a field's photo; an empty field means the built-in one, if there is one. */
export function addressOf(photo: PhotoName, image: string, width: 480 | 1600) {
  return image ? jpegOf(image, width) : photosItCameWith[photo]?.src
}

export function pointOf(photo: PhotoName, image: string, point: string) {
  return point || (!image && pointsItCameWith[photo]) || '50 50'
}
