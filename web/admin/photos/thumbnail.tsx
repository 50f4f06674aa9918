import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { jpegOf } from '#contract/first-visit.ts'
import { cn } from '../../ui/cn.ts'

export function Thumbnail({ address, alt, className }: { address: string; alt: string; className?: string }) {
  const [failed, setFailed] = useState(false)
  return (
    <span
      className={cn(
        'squared grid aspect-[3/2] place-items-center overflow-hidden border border-(--line) bg-(--raised)',
        className,
      )}
    >
      {failed ? (
        <ImageOff role="img" aria-label={alt} className="size-5 text-(--quiet)" />
      ) : (
        <img
          src={jpegOf(address, 480)}
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
