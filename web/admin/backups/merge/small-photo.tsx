import { ImageOff } from 'lucide-react'
import { useState } from 'react'

/** A photo of the site or out of a file, small: from the first of the places that has it. Its room stays when none has. */
export function SmallPhoto({ addresses, alt }: { addresses: readonly string[]; alt: string }) {
  const [tried, setTried] = useState(0)
  const address = addresses[tried]
  return (
    <span className="squared grid aspect-[4/3] w-24 place-items-center overflow-hidden border border-(--line) bg-(--raised)">
      {address === undefined ? (
        <ImageOff role="img" aria-label={alt} className="size-5 text-(--quiet)" />
      ) : (
        <img
          key={address}
          src={address}
          alt={alt}
          loading="lazy"
          decoding="async"
          onError={() => setTried(tried + 1)}
          className="size-full min-h-0 object-cover"
        />
      )}
    </span>
  )
}
