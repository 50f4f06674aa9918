import { useState } from 'react'
import { storedHash } from '#contract/images.ts'
import { Field, Input } from '../ui/field.tsx'
import { useAdminTexts } from './texts.ts'

type Props = {
  label: string
  required?: boolean
  optional?: boolean
  hint?: string
  error?: string | undefined
  /** '' when there is none, else `/objects/<sha256>` or an https:// address. */
  value: string
  onChange(next: string): void
}

export function PhotoField({ label, required = false, optional = false, hint, error, value, onChange }: Props) {
  const t = useAdminTexts()
  return (
    <div data-slot="photo-field">
      <Field
        label={optional ? `${label} (${t.common.optional})` : label}
        required={required ? t.common.required : undefined}
        error={error}
        hint={hint ?? t.photo.addressHint}
      >
        {(slot) => <Input {...slot} value={value} onChange={(event) => onChange(event.currentTarget.value)} />}
      </Field>
      <Preview key={value} label={label} address={value} />
    </div>
  )
}

function Preview({ label, address }: { label: string; address: string }) {
  const t = useAdminTexts()
  const [failed, setFailed] = useState(false)
  if (address === '') return null
  if (failed) return <p className="mt-3 text-sm text-(--quiet)">{t.photo.unavailable}</p>
  return (
    <img
      src={storedHash(address) ? `${address}?w=480&f=jpeg` : address}
      alt={t.photo.preview(label)}
      onError={() => setFailed(true)}
      className="mt-3 aspect-[3/2] w-48 bg-bone-line object-cover"
    />
  )
}
