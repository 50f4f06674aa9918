import { type ComponentType, useEffect, useState } from 'react'
import { useLanguage } from './language/language.tsx'
import { dismissToast, loadToaster, type Toast, useToasts } from './ui/toast-store.ts'

type ToasterProps = { label: string; closeLabel: string }

/** Fetches the toaster with the first notice. Where that fails, a plain one is shown, and the next notice tries again. */
export function Notifications() {
  const { texts } = useLanguage()
  const [latest] = useToasts()
  const latestId = latest?.id
  const [Toaster, setToaster] = useState<ComponentType<ToasterProps>>()
  const [lostId, setLostId] = useState<number>()
  useEffect(() => {
    if (!latestId) return
    loadToaster().then(
      (module) => setToaster(() => module.Toaster),
      () => setLostId(latestId),
    )
  }, [latestId])
  if (Toaster) return <Toaster label={texts.notifications.label} closeLabel={texts.notifications.close} />
  return latest?.open && latest.id === lostId && <PlainNotice key={lostId} notice={latest} />
}

function PlainNotice({ notice: { id, title, description } }: { notice: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismissToast(id), 5000)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div role="alert" className="on-ink fixed inset-x-4 top-4 z-100 mx-auto max-w-[420px] border border-ink-line p-4">
      <p className="font-medium">{title}</p>
      <p className="text-sm text-ink-quiet">{description}</p>
    </div>
  )
}
