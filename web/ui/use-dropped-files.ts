import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

/** Takes files that are dropped or pasted anywhere in the dialog around `part`. Returns whether files are dragged over it. */
export function useDroppedFiles(part: RefObject<HTMLElement | null>, onFiles: (files: File[]) => void) {
  const [held, setHeld] = useState(false)
  const passFiles = useEffectEvent(onFiles)

  useEffect(() => {
    const isInside = ({ target }: Event) =>
      target instanceof Node &&
      part.current?.closest('[data-slot="dialog"]')?.contains(target) === true &&
      !part.current.closest('[inert]')
    /** Office programs put an image of copied text on the clipboard too. */
    const isText = ({ target, clipboardData }: ClipboardEvent) =>
      target instanceof Element && target.matches('input, textarea') && clipboardData?.types.includes('text/plain')
    const take = (event: Event, data: DataTransfer | null) => {
      if (!data?.files.length || !isInside(event)) return
      event.preventDefault()
      passFiles([...data.files])
    }
    const paste = (event: ClipboardEvent) => !isText(event) && take(event, event.clipboardData)
    const hold = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      // Otherwise the browser leaves the page and opens a file that is dropped outside.
      event.preventDefault()
      setHeld(isInside(event))
    }
    const drop = (event: DragEvent) => {
      setHeld(false)
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
      take(event, event.dataTransfer)
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setHeld(false)
    const closed = new AbortController()
    document.addEventListener('paste', paste, closed)
    document.addEventListener('dragover', hold, closed)
    document.addEventListener('drop', drop, closed)
    document.addEventListener('dragleave', leave, closed)
    return () => closed.abort()
  }, [part])
  return held
}
