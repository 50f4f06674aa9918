import { Search } from 'lucide-react'
import { useId } from 'react'
import { Input } from '../ui/field.tsx'

type Props = { label: string; value: string; onChange(next: string): void }

export function SearchBox({ label, value, onChange }: Props) {
  const id = useId()
  return (
    <div className="relative min-w-0 flex-1">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search className="pointer-events-none absolute top-4 left-4 size-4 text-(--quiet)" aria-hidden />
      <Input
        id={id}
        type="search"
        value={value}
        maxLength={200}
        placeholder={label}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="pl-11"
      />
    </div>
  )
}
