import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { jpegOf } from '#contract/first-visit.ts'
import { cn } from '../../ui/cn.ts'

type Props = { address: string; alt: string; width?: 480 | 960; className?: string; unavailable?: string }

/** Without an address, and when it cannot be loaded, it says `unavailable`. */
export function Thumbnail({ address, alt, width = 480, className, unavailable }: Props) {
  const [failed, setFailed] = useState(false)
  return (
    <span
      className={cn(
        'squared grid aspect-[3/2] place-items-center overflow-hidden border border-(--line) bg-(--raised)',
        className,
      )}
    >
      {failed || !address ? (
        <span className="grid justify-items-center gap-2 text-sm text-(--quiet)">
          {failed && <ImageOff role="img" aria-label={alt} className="size-5" />}
          {unavailable}
        </span>
      ) : (
        <img
          src={jpegOf(address, width)}
          alt={alt}
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setFailed(true)}
          className="size-full min-h-0 object-cover"
        />
      )}
    </span>
  )
}
