import { useSyncExternalStore } from 'react'
import { useLanguage } from '../../language/language.tsx'

/** On paper only: whose work it is, where it is found again, and how to ask for it. */
export function PrintedContact({ slug }: { slug?: string }) {
  const { texts, maker, link } = useLanguage()
  const whatsapp = maker.whatsapp && `WhatsApp ${maker.whatsapp}`
  // The server does not know by which of its names the visitor has come.
  const origin = useSyncExternalStore(
    neverChanges,
    () => location.origin,
    () => '',
  )
  return (
    <div className="mt-6 hidden border-t border-(--line) pt-4 text-sm print:block">
      <p className="font-display text-lg">{maker.brand}</p>
      <p>{[maker.email, ...maker.phones, whatsapp, texts.contact.cityName].filter(Boolean).join(' · ')}</p>
      <p className="font-mono">{origin && `${origin}${link('/', slug ? { project: slug } : {})}`}</p>
    </div>
  )
}

const neverChanges = () => () => {}
