import type { Working } from '#contract/backup-care.ts'
import { cn } from '../../ui/cn.ts'
import { useAdminTexts, useBackupTexts } from '../texts.ts'

/** What the site is working at and how far it has come. Described by it, a button says why it waits. */
export function WorkingLine({ working, id }: { working: Working | null; id: string }) {
  const { working: t } = useBackupTexts()
  const sentence = working && t.line(t.kinds[working.kind], t.steps[working.step])
  return (
    <div id={id}>
      {/* Always there, and without numbers: they would be read out every second. */}
      <p role="status" className="sr-only">
        {sentence}
      </p>
      {working && sentence && (
        <div className="border-x border-b border-(--line) bg-(--raised) px-5 py-4">
          <Progress label={sentence} done={working.done} total={working.total} />
          <p className="mt-2 text-sm text-(--quiet)">{t.others}</p>
        </div>
      )}
    </div>
  )
}

/** Without a total it only says that something is going on. */
export function Progress({ label, done, total, unit }: { label: string; done: number; total: number; unit?: 'percent' }) {
  const { working: t } = useBackupTexts()
  const { locale } = useAdminTexts()
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  const told = unit === 'percent' ? percent.format(total > 0 ? done / total : 0) : t.counted(done, total)
  return (
    <div>
      <div aria-hidden="true" className="flex flex-wrap justify-between gap-x-4 text-[0.9375rem]">
        <p>{label}</p>
        {total > 0 && <p className="font-mono text-sm">{told}</p>}
      </div>
      <progress
        aria-label={label}
        {...(total > 0 && { value: Math.min(done, total), max: total })}
        className={cn(
          'mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-[2px] bg-bone-line [&::-webkit-progress-bar]:bg-bone-line',
          '[&::-moz-progress-bar]:bg-brass [&::-webkit-progress-value]:bg-brass [&::-webkit-progress-value]:transition-[width]',
          'indeterminate:motion-safe:animate-pulse indeterminate:[&::-moz-progress-bar]:bg-brass/60 indeterminate:[&::-webkit-progress-bar]:bg-brass/60',
        )}
      />
    </div>
  )
}
