import { type DragEvent, type ReactNode, useId, useState } from 'react'
import { buttonClasses } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'

type Props = { label: string; accept: string; disabled: boolean; onFile(file: File): void; children: ReactNode }

/** A file, chosen or dropped. */
export function FileDrop({ label, accept, disabled, onFile, children }: Props) {
  const id = useId()
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file && !disabled) onFile(file)
  }
  return (
    <fieldset
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn('grid gap-3 border border-dashed border-(--quiet) p-4', over && 'border-brass-deep bg-brass/10')}
    >
      <input
        id={id}
        type="file"
        accept={accept}
        disabled={disabled}
        className="peer sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) onFile(file)
          // Otherwise choosing the same file again, corrected, is no change and fires no event.
          event.target.value = ''
        }}
      />
      <label
        htmlFor={id}
        className={cn(
          buttonClasses({ size: 'small' }),
          'w-fit peer-focus-visible:outline-2 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-brass-deep peer-disabled:opacity-60',
        )}
      >
        {label}
      </label>
      {children}
    </fieldset>
  )
}
