import { Share2 } from 'lucide-react'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { useOpenProjectTexts } from './open-project-texts.ts'

/** `refused`: the visitor has to copy the address by hand. */
export type Shared = 'copied' | 'refused'

/** The address of the project, with the language of the present one. */
export function useSharedAddress(slug: string) {
  const { link } = useLanguage()
  return () => new URL(link('/', { project: slug }), location.origin).href
}

type Props = {
  title: string
  address(): string
  onShared(how: Shared): void
  /** The focus has left the button. */
  onLeave(): void
}

/** Opens the system's share sheet, or copies the address. */
export function ShareButton({ title, address, onShared, onLeave }: Props) {
  const words = useOpenProjectTexts()
  const share = async () => {
    const url = address()
    try {
      if (navigator.share) return await navigator.share({ title, url })
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return
    }
    try {
      await navigator.clipboard.writeText(url)
      onShared('copied')
    } catch {
      onShared('refused')
    }
  }
  return (
    <Button
      tone="quiet"
      className="w-11 px-0 unscripted:hidden"
      aria-label={words.share}
      onClick={() => void share()}
      onBlur={onLeave}
    >
      <Share2 aria-hidden />
    </Button>
  )
}
