import { ChevronsLeftRight } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import type { ListedProject } from '../../page.ts'
import { cn } from '../../ui/cn.ts'
import { Photo, storedPhoto } from '../../ui/photo.tsx'
import { MissingPhoto } from '../page/missing-photo.tsx'
import { useOpenProjectTexts } from './open-project-texts.ts'

type Props = { title: string; before: string; after: string; project: ListedProject }

const sizes = '(max-width: 64rem) 100vw, min(92vw, 130vh)'

/** Two photos in one frame; a range input moves the border between them. */
export function Comparison({ title, before, after, project }: Props) {
  const words = useOpenProjectTexts()
  const [shown, setShown] = useState(50)
  const { ratio, alike } = frameOf(project.beforeImage, project.afterImage)
  const photo = cn('absolute inset-0 size-full', alike ? 'object-cover' : 'bg-none! object-contain')
  return (
    <figure className="mx-auto max-w-[calc(72vh*var(--frame))]" style={{ '--frame': ratio } as CSSProperties}>
      <figcaption className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-xl">{words.compare}</h3>
        <span className="text-sm text-(--quiet) unscripted:hidden">{words.compareHint}</span>
      </figcaption>
      <div
        className="group relative aspect-(--frame) overflow-hidden bg-ink select-none"
        style={{ '--shown': `${shown}%` } as CSSProperties}
      >
        <Photo
          source={storedPhoto(after, project.afterImage)}
          alt={words.altAfter(title)}
          sizes={sizes}
          className={photo}
          missing={<MissingPhoto />}
        />
        <div className="absolute inset-0 bg-ink [clip-path:inset(0_calc(100%-var(--shown))_0_0)]">
          <Photo
            source={storedPhoto(before, project.beforeImage)}
            alt={words.altBefore(title)}
            sizes={sizes}
            className={photo}
            missing={<MissingPhoto />}
          />
        </div>
        <span aria-hidden="true" className="lettering absolute bottom-3 left-3 bg-ink/85 px-2 py-1 text-bone">
          {words.before}
        </span>
        <span aria-hidden="true" className="lettering absolute right-3 bottom-3 bg-ink/85 px-2 py-1 text-bone">
          {words.after}
        </span>
        <span aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-(--shown) w-px bg-bone">
          <span className="absolute top-1/2 left-1/2 grid size-11 -translate-1/2 place-items-center rounded-full border border-bone bg-ink/80 text-bone group-has-focus-visible:outline-2 group-has-focus-visible:outline-offset-2 group-has-focus-visible:outline-brass-light unscripted:hidden">
            <ChevronsLeftRight className="size-5" />
          </span>
        </span>
        <input
          type="range"
          min={0}
          max={100}
          value={shown}
          onChange={(event) => setShown(event.currentTarget.valueAsNumber)}
          aria-label={words.compareHandle}
          aria-valuetext={`${shown} %`}
          className="comparison-range absolute inset-0 m-0 size-full cursor-ew-resize touch-pan-y opacity-0 unscripted:hidden"
        />
      </div>
    </figure>
  )
}

type Size = { width: number; height: number }

/** Photos of the same shape differ by less than this. */
const alikeWithin = 0.04

/**
 * The frame of two photos. If their shapes are alike, they fill it; otherwise its shape is between theirs, and each is shown
 * whole.
 */
export function frameOf(before: Size | null, after: Size | null) {
  const ratios = [before, after].flatMap((size) => (size ? [size.width / size.height] : []))
  const [first = 1.5, second = first] = ratios
  return { ratio: Math.sqrt(first * second), alike: Math.abs(Math.log(first / second)) < alikeWithin }
}
