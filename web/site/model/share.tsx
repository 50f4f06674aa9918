import { Share2 } from 'lucide-react'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { useOpenProjectTexts } from './open-project-texts.ts'

/** How it went: the address has been copied, or it has to be copied by hand. */
export type Shared = 'copied' | 'refused'

/** Where the project is found, in the language the address asks for. */
export function useSharedAddress(slug: string) {
  const { link } = useLanguage()
  return () => new URL(link('/', { project: slug }), location.origin).href
}

type Props = {
  title: string
  address(): string
  onShared(how: Shared): void
  /** The visitor has gone on to something else. */
  onLeave(): void
}

/** Hands the address to the system, where it takes one, else to the clipboard. */
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
      size="small"
      className="w-11 px-0 unscripted:hidden"
      aria-label={words.share}
      onClick={() => void share()}
      onBlur={onLeave}
    >
      <Share2 aria-hidden />
    </Button>
  )
}
