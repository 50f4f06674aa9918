import { ImagePlus, Link, Trash2 } from 'lucide-react'
import { type Ref, useId, useState } from 'react'
import { isImageAddress } from '#contract/images.ts'
import { photoLimits } from '#contract/project-fields.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Field, FieldError, Input } from '../../ui/field.tsx'
import { useAdminTexts, useUploadTexts } from '../texts.ts'
import { Thumbnail } from './thumbnail.tsx'
import { UploadDialog } from './upload-dialog.tsx'

type Props = {
  label: string
  error?: string | undefined
  /** '' for no photo, else `/objects/<sha256>` or an https:// address. */
  value: string
  onChange(next: string): void
  /** Takes the focus when the photo is missing. */
  ref?: Ref<HTMLButtonElement>
}

/** A photo of a project: an upload, or an https:// address from an older site. */
export function PhotoField({ label, error, value, onChange, ref }: Props) {
  const admin = useAdminTexts()
  const texts = useUploadTexts()
  const id = useId()
  const [uploading, setUploading] = useState(false)
  const choose = value === '' ? texts.upload : texts.replace
  const describedBy = error && `${id}-error`
  return (
    <fieldset data-slot="photo-field" aria-describedby={describedBy}>
      <legend className="mb-2 text-[0.9375rem] font-medium">{`${label} (${admin.common.optional})`}</legend>
      <div className="flex flex-wrap items-start gap-x-5 gap-y-3">
        <Thumbnail
          key={value}
          address={value}
          alt={admin.photo.preview(label)}
          unavailable={value ? admin.photo.unavailable : texts.empty}
          className={cn('w-48 shrink-0 text-center', error && 'border-2 border-(--danger)')}
        />
        <div className="grid justify-items-start gap-1">
          <Button
            icon={ImagePlus}
            ref={ref}
            aria-label={`${choose}: ${label}`}
            aria-describedby={describedBy}
            onClick={() => setUploading(true)}
          >
            {choose}
          </Button>
          {value !== '' && (
            <Button icon={Trash2} tone="quiet" aria-label={admin.photo.remove(label)} onClick={() => onChange('')}>
              {texts.remove}
            </Button>
          )}
        </div>
      </div>
      {value === '' && (
        <div className="mt-1 -ml-4 grid justify-items-start">
          <AddressField label={label} onAdd={onChange} />
        </div>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {uploading && <UploadDialog label={label} onClose={() => setUploading(false)} onUploaded={onChange} />}
    </fieldset>
  )
}

/** For photos of an older site, added by their addresses. */
export function AddressField({ label, onAdd }: { label?: string; onAdd(address: string): void }) {
  const admin = useAdminTexts()
  const { useAddress } = useUploadTexts()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const add = () => {
    const address = typed.trim()
    const { faults } = admin.projectForm
    const limit = photoLimits.imageUrl
    const isPhoto = address === '' || isImageAddress(address)
    const fault = address.length > limit ? faults.too_long({ limit, names: '' }) : isPhoto ? undefined : faults.not_a_photo()
    setFault(fault)
    if (address === '' || fault) return
    onAdd(address)
    setTyped('')
  }
  return (
    <>
      <Button
        icon={Link}
        tone="quiet"
        aria-label={label && `${useAddress}: ${label}`}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {useAddress}
      </Button>
      {open && (
        <Field
          label={admin.photo.address}
          hint={admin.photo.addressHint}
          error={fault}
          className="mt-1 ml-4 justify-self-stretch"
        >
          {(slot) => (
            <Input
              {...slot}
              autoFocus
              type="url"
              inputMode="url"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              // Before the form is sent, by a key or by a button.
              onBlur={add}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                add()
              }}
            />
          )}
        </Field>
      )}
    </>
  )
}
