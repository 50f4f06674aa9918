import { cn } from '../../ui/cn.ts'
import { useBackupTexts } from './backup-texts.ts'

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
    </section>
  )
}
