import { useSyncExternalStore } from 'react'
import { useLanguage } from '../../language/language.tsx'

/** In print only: the maker's name, contact details and the address of the page. */
export function PrintedContact({ slug }: { slug?: string }) {
  const { texts, maker, link } = useLanguage()
  const whatsapp = maker.whatsapp && `WhatsApp ${maker.whatsapp}`
  // The server does not know under which host name it was reached.
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
