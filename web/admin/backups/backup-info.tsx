import { useQuery } from '@tanstack/react-query'
import { daysAside } from '#contract/quarantine.ts'
import { cn } from '../../ui/cn.ts'
import { useAdminTexts, useBackupTexts } from '../texts.ts'
import { asideQuery } from './backup-calls.ts'
import { dayIn, sizeIn } from './backup-texts.ts'

export function BackupInfo({ className }: { className: string }) {
  const { info } = useBackupTexts()
  return (
    <section
      aria-labelledby="backup-info"
      className={cn('self-start border border-(--line) border-l-4 border-l-brass bg-(--raised) p-5 sm:p-6', className)}
    >
      <h3 id="backup-info" className="text-xl">
        {info.title}
      </h3>
      <dl className="mt-3 grid gap-2 text-[0.9375rem]">
        {info.points.map(([name, text]) => (
          <div key={name}>
            <dt className="inline font-medium">{`${name}: `}</dt>
            <dd className="inline text-(--quiet)">{text}</dd>
          </div>
        ))}
      </dl>
      <ul className="mt-4 grid gap-2 border-t border-(--line) pt-4 text-[0.9375rem]">
        {info.tips.map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
      <Aside />
    </section>
  )
}

/** Photos that nothing refers to. Silent when there are none, and when it is not known. */
function Aside() {
  const { info } = useBackupTexts()
  const { locale } = useAdminTexts()
  const { photos, bytes, since } = useQuery(asideQuery).data ?? { photos: 0, bytes: 0, since: null }
  if (photos === 0 || !since) return null
  const sentence = info.aside({ photos, size: sizeIn(locale, bytes), since: dayIn(locale, since), days: daysAside })
  return <p className="mt-4 border-t border-(--line) pt-4 text-sm text-(--quiet)">{sentence}</p>
}
