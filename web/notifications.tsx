import { type ComponentType, useEffect, useState } from 'react'
import { useLanguage } from './language/language.tsx'
import { useToasts } from './ui/toast-store.ts'

type ToasterProps = { label: string; closeLabel: string }

/** The place for notices, fetched with the first one: most visitors only look. */
export function Notifications() {
  const { texts } = useLanguage()
  const anything = useToasts().length > 0
  const [Toaster, setToaster] = useState<ComponentType<ToasterProps>>()
  useEffect(() => {
    if (anything) void import('./ui/toaster.tsx').then((module) => setToaster(() => module.Toaster))
  }, [anything])
  return Toaster && <Toaster label={texts.notifications.label} closeLabel={texts.notifications.close} />
}
