import { useSyncExternalStore } from 'react'
import { maker } from '#content/maker.ts'
import { useLanguage } from '../language/language.tsx'

/** On paper only: whose work it is, where it is found again, and how to ask for it. */
export function PrintedContact({ slug }: { slug?: string }) {
  const { texts, link } = useLanguage()
  // The server does not know by which of its names the visitor has come.
  const origin = useSyncExternalStore(
    neverChanges,
    () => location.origin,
    () => '',
  )
  return (
    <div className="mt-6 hidden border-t border-(--line) pt-4 text-sm print:block">
      <p className="font-display text-lg">{maker.brand}</p>
      <p>{[maker.email, ...maker.phones, ...whatsapp, texts.contact.cityName].join(' · ')}</p>
      <p className="font-mono">{origin && `${origin}${link('/', slug ? { project: slug } : {})}`}</p>
    </div>
  )
}

const whatsapp = maker.whatsapp ? [`WhatsApp ${maker.whatsapp}`] : []
const neverChanges = () => () => {}
