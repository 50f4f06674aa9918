import { ImageOff } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import type { PhotoName } from '#contract/site-fields.ts'
import { useYourSiteTexts } from '../texts.ts'

/** The aspect ratios in which the page crops each photo; photos not listed are shown whole. */
const crops: Partial<Record<PhotoName, Record<Screen, number>>> = {
  hero: { phone: 390 / 480, desktop: 1440 / 836 },
  heroTall: { phone: 390 / 480, desktop: 390 / 480 },
  about2: { phone: 3 / 2, desktop: 21 / 9 },
  portrait: { phone: 4 / 5, desktop: 4 / 5 },
}

export type Screen = 'phone' | 'desktop'

type Props = {
  photo: PhotoName
  address: string
  point: string
  /** Undefined for a photo that all screens show. */
  screen: Screen | undefined
  onChange(point: string): void
}

/** The whole photo with a cross on its focal point, set by click or arrow keys, and previews of the crops. */
export function PointPicker({ photo, address, point, screen: only, onChange }: Props) {
  const { photo: t } = useYourSiteTexts()
  const id = useId()
  const [x, y] = sidesOf(point)
  const shapes = crops[photo]
  const [failed, setFailed] = useState(false)
  const place = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    onChange(pointAt((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height))
  }
  const press = (event: KeyboardEvent) => {
    const next = moved(point, event.key, event.shiftKey ? 10 : 1)
    if (!next) return
    event.preventDefault()
    onChange(next)
  }
  if (failed) {
    return (
      <p className="squared grid aspect-[3/2] max-w-md place-items-center content-center gap-2 border border-(--line) text-sm text-(--quiet)">
        <ImageOff className="size-5" />
        {t.missing}
      </p>
    )
  }
  return (
    <div className="grid items-start gap-x-6 gap-y-4 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div>
        <div
          onPointerDown={place}
          className="relative w-fit max-w-full cursor-crosshair overflow-hidden touch-manipulation border border-(--line) has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)"
        >
          <img
            src={address}
            alt=""
            draggable={false}
            onError={() => setFailed(true)}
            className="block max-h-80 w-auto max-w-full select-none"
          />
          {/* Each slider handles all four arrow keys. */}
          {(
            [
              [t.fromLeft, x, (next: number) => `${next} ${y}`],
              [t.fromTop, y, (next: number) => `${x} ${next}`],
            ] as const
          ).map(([label, value, pointWith]) => (
            <input
              key={label}
              type="range"
              min={0}
              max={100}
              value={value}
              aria-label={`${t.pointLabel}, ${t.names[photo]}: ${label}`}
              aria-valuetext={t.percent(value)}
              aria-describedby={`${id}-hint`}
              onChange={(event) => onChange(pointWith(event.currentTarget.valueAsNumber))}
              onKeyDown={press}
              className="sr-only"
            />
          ))}
          <Cross point={point} />
        </div>
        <p id={`${id}-hint`} className="mt-2 text-sm text-(--quiet)">
          {t.pointHint}
        </p>
      </div>
      {shapes && (
        <div>
          <p className="text-sm text-(--quiet)">{t.crops}</p>
          <div className="mt-1 flex flex-wrap gap-3">
            {(only ? [only] : (['phone', 'desktop'] as const)).map((screen) => (
              <figure key={screen}>
                <img
                  src={address}
                  alt=""
                  className="h-24 border border-(--line) object-cover"
                  style={{ aspectRatio: shapes[screen], objectPosition: `${x}% ${y}%` }}
                />
                <figcaption className="lettering mt-1 text-(--quiet)">{t.screens[screen]}</figcaption>
              </figure>
            ))}
          </div>
        </div>
      )}
    </div>
  )
}

export function PhotoWithPoint({ address, point }: { address: string; point: string }) {
  const { photo: t } = useYourSiteTexts()
  return (
    <span className="relative block w-fit overflow-hidden">
      <img src={address} alt={t.pointAt(...sidesOf(point))} className="block max-h-28 w-auto max-w-full" />
      <Cross point={point} />
    </span>
  )
}

function Cross({ point }: { point: string }) {
  const [x, y] = sidesOf(point)
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute size-9 -translate-1/2 rounded-full border-2 border-white shadow-[0_0_0_1px_var(--color-ink)] before:absolute before:top-1/2 before:left-1/2 before:h-0.5 before:w-14 before:-translate-1/2 before:bg-white before:shadow-[0_0_0_1px_rgb(20_17_15/0.6)] after:absolute after:top-1/2 after:left-1/2 after:h-14 after:w-0.5 after:-translate-1/2 after:bg-white after:shadow-[0_0_0_1px_rgb(20_17_15/0.6)]"
      style={{ left: `${x}%`, top: `${y}%` }}
    />
  )
}

/** Percent from the left and from the top. */
export function sidesOf(point: string): [number, number] {
  const [x = 50, y = 50] = point.split(' ').map(Number)
  return [x, y]
}

/** From parts of the width and of the height. */
export function pointAt(...parts: [left: number, top: number]) {
  return parts.map((part) => Math.min(100, Math.max(0, Math.round(part * 100)))).join(' ')
}

const steps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** After an arrow key; undefined for any other key. */
export function moved(point: string, key: string, by: number) {
  const step = steps[key]
  const [x, y] = sidesOf(point)
  return step && pointAt((x + step[0] * by) / 100, (y + step[1] * by) / 100)
}
