import { ImageOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { categories } from '#contract/first-visit.ts'
import type { Difference } from '#contract/restores.ts'
import { cn } from '../../../ui/cn.ts'
import { dateIn, useAdminTexts, useBackupTexts } from '../../texts.ts'
import { type PreviewedFile, photoAddresses } from './merge-preview.rules.ts'

type Props = {
  differences: readonly Difference[]
  previewed: PreviewedFile
  nameOf(field: string): string
  /** What no value means. */
  none: string
  /** A text as people see it. */
  tell?: (field: string, value: string) => string
}

/** Both values of each field that is different. */
export function Differences({ differences, previewed, nameOf, none, tell }: Props) {
  const { preview: t } = useBackupTexts()
  return (
    <ul className="grid gap-4">
      {differences.map(({ field, current, incoming }) => {
        const shown = { field, label: nameOf(field), none, tell }
        return (
          <li key={field}>
            <p className="text-sm font-medium wrap-anywhere">{shown.label}</p>
            <dl className="mt-1 grid gap-2 sm:grid-cols-2">
              <Side name={t.current}>
                <Value {...shown} value={current} />
              </Side>
              <Side name={t.incoming} isNew>
                <Value {...shown} value={incoming} previewed={previewed} />
              </Side>
            </dl>
          </li>
        )
      })}
    </ul>
  )
}

function Side({ name, isNew = false, children }: { name: string; isNew?: boolean; children: ReactNode }) {
  return (
    <div className={cn('border border-(--line) bg-(--raised) px-3 py-2', isNew && 'shadow-[inset_3px_0_0_var(--color-brass)]')}>
      <dt className="text-[0.8125rem] text-(--quiet)">{name}</dt>
      <dd className="text-[0.9375rem] wrap-anywhere whitespace-pre-line">{children}</dd>
    </div>
  )
}

type ValueProps = {
  field: string
  label: string
  none: string
  tell: Props['tell']
  value: Difference['current']
  /** The file, where the value is out of it. */
  previewed?: PreviewedFile
}

/** As people see it: a photo is shown, and a choice is called what it is called in the panel. */
function Value({ field, label, none, tell, value, previewed }: ValueProps): ReactNode {
  const { preview: t } = useBackupTexts()
  const admin = useAdminTexts()
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (typeof value === 'number') return value.toLocaleString(admin.locale)
  if (value === null) return <span className="text-(--quiet)">{none}</span>
  if (value.length === 0) return <span className="text-(--quiet)">{t.empty}</span>
  const isPhoto = /^photos$|image(Url)?$/i.test(field)
  if (isPhoto) {
    return (
      <span className="flex flex-wrap gap-2 pt-1">
        {[value].flat().map((each, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is shown.
          <SmallPhoto key={index} addresses={photoAddresses(each, previewed)} alt={label} />
        ))}
      </span>
    )
  }
  if (typeof value !== 'string') return value.map((each, index) => `${index + 1}. ${each || t.empty}`).join('\n')
  if (field === 'category') return admin.categories[categories.find((each) => each === value) ?? 'ships']
  if (field === 'createdAt') return dateIn(admin, value, 'minute')
  return tell?.(field, value) ?? value
}

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
