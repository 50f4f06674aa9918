import { type ComponentType, useEffect, useState } from 'react'
import { useLanguage } from './language/language.tsx'
import { loadToaster, useToasts } from './ui/toast-store.ts'

type ToasterProps = { label: string; closeLabel: string }

/** The place for notices. If it cannot be fetched with one, it is tried again with the next. */
export function Notifications() {
  const { texts } = useLanguage()
  const latest = useToasts()[0]?.id
  const [Toaster, setToaster] = useState<ComponentType<ToasterProps>>()
  useEffect(() => {
    if (latest) void loadToaster().then((module) => setToaster(() => module.Toaster), ignore)
  }, [latest])
  return Toaster && <Toaster label={texts.notifications.label} closeLabel={texts.notifications.close} />
}

function ignore() {}
