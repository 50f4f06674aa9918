import { ImageOff } from 'lucide-react'
import { useLanguage } from '../../language/language.tsx'

/** Shown instead of a photo that cannot be loaded. */
export function MissingPhoto() {
  const { texts } = useLanguage()
  return (
    <div className="squared grid size-full min-h-40 place-items-center bg-(--raised) p-6 text-center text-sm text-(--quiet)">
      <div>
        <ImageOff className="mx-auto mb-3 size-6" aria-hidden />
        {texts.gallery.unavailable}
      </div>
    </div>
  )
}
