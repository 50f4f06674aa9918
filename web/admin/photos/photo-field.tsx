import { ImageOff, ImagePlus, Link, Trash2 } from 'lucide-react'
import { type Ref, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { jpegOf, storedHash } from '#contract/first-visit.ts'
import { isImageAddress } from '#contract/images.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Field, Input } from '../../ui/field.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts, useUploadTexts } from '../texts.ts'
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
  const notices = useNotices()
  const id = useId()
  const [uploading, setUploading] = useState(false)
  const [typing, setTyping] = useState(() => value !== '' && storedHash(value) === undefined)
  const address = useRef<HTMLInputElement>(null)
  // Set on blur: otherwise the preview requests an address with every letter.
  const [written, setWritten] = useState(value)
  const visible = storedHash(value) !== undefined || value === written ? value : ''
  const choose = value === '' ? texts.upload : texts.replace
  const describedBy = error && `${id}-error`

  const uploaded = (objectPath: string) => {
    setUploading(false)
    setTyping(false)
    onChange(objectPath)
    notices.done(texts.done)
  }

  const typeAddress = () => {
    flushSync(() => setTyping(true))
    address.current?.focus()
  }

  return (
    <fieldset data-slot="photo-field" aria-describedby={describedBy}>
      <legend className="mb-2 text-[0.9375rem] font-medium">{`${label} (${admin.common.optional})`}</legend>
      <div className="flex flex-wrap items-start gap-x-5 gap-y-3">
        <Preview key={visible} label={label} address={visible} faulty={Boolean(error)} />
        <div className="grid justify-items-start gap-1">
          <Button
            ref={ref}
            size="small"
            aria-label={`${choose}: ${label}`}
            aria-describedby={describedBy}
            onClick={() => setUploading(true)}
          >
            <ImagePlus aria-hidden />
            {choose}
          </Button>
          {!typing && value === '' && (
            <Button tone="quiet" size="small" aria-label={`${texts.useAddress}: ${label}`} onClick={typeAddress}>
              <Link aria-hidden />
              {texts.useAddress}
            </Button>
          )}
          {value !== '' && (
            <Button tone="quiet" size="small" aria-label={admin.photo.remove(label)} onClick={() => onChange('')}>
              <Trash2 aria-hidden />
              {texts.remove}
            </Button>
          )}
        </div>
      </div>
      {typing && (
        <Field label={admin.photo.address} hint={admin.photo.addressHint} className="mt-4">
          {(slot) => (
            <Input
              {...slot}
              aria-invalid={error ? true : undefined}
              aria-describedby={[slot['aria-describedby'], error && `${id}-error`].filter(Boolean).join(' ')}
              ref={address}
              type="url"
              inputMode="url"
              autoComplete="off"
              value={value}
              onChange={(event) => onChange(event.currentTarget.value)}
              onBlur={() => setWritten(value)}
            />
          )}
        </Field>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-(--danger)">
          {error}
        </p>
      )}
      {uploading && <UploadDialog label={label} onClose={() => setUploading(false)} onUploaded={uploaded} />}
    </fieldset>
  )
}

function Preview({ label, address, faulty }: { label: string; address: string; faulty: boolean }) {
  const admin = useAdminTexts()
  const texts = useUploadTexts()
  const [failed, setFailed] = useState(false)
  const shown = isImageAddress(address) && !failed
  return (
    <div
      className={cn(
        'grid aspect-[3/2] w-48 shrink-0 place-items-center border bg-(--raised) text-center text-sm text-(--quiet)',
        faulty ? 'border-2 border-(--danger)' : 'border-(--line)',
        !shown && 'squared',
      )}
    >
      {shown ? (
        <img
          src={jpegOf(address, 480)}
          alt={admin.photo.preview(label)}
          onError={() => setFailed(true)}
          className="size-full min-h-0 object-contain"
        />
      ) : (
        <span className="p-3">
          {failed && <ImageOff className="mx-auto mb-2 size-5" aria-hidden />}
          {failed ? admin.photo.unavailable : texts.empty}
        </span>
      )}
    </div>
  )
}
