import { useLanguage } from '../../language/language.tsx'
import { Drawing, firstIcons } from '../../ui/drawing.tsx'

/** Shown instead of a photo that cannot be loaded. */
export function MissingPhoto() {
  const { texts } = useLanguage()
  return (
    <div className="squared grid size-full min-h-40 place-items-center bg-(--raised) p-6 text-center text-sm text-(--quiet)">
      <div>
        <Drawing d={firstIcons.imageOff} className="mx-auto mb-3 size-6" />
        {texts.gallery.unavailable}
      </div>
    </div>
  )
}
