import { type ComponentProps, useRef } from 'react'
import { Button } from './button.tsx'

type Props = ComponentProps<typeof Button> & {
  accept: string
  multiple?: boolean
  /** Opens the camera at once, on a device that has one. */
  capture?: 'environment'
  onFiles(files: File[]): void
}

/** Opens the dialog in which the device's files are chosen. */
export function FileButton({ accept, multiple, capture, onFiles, ...rest }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...rest} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        {...{ accept, multiple, capture }}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // Otherwise choosing the same file again fires no change event.
          currentTarget.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}
