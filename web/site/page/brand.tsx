import { useSyncExternalStore } from 'react'
import { useLanguage } from '../../language/language.tsx'

export function Brand() {
  const { maker } = useLanguage()
  return (
    <span className="flex min-w-0 items-center gap-3">
      <svg
        viewBox="0 0 32 32"
        className="size-7 shrink-0 text-(--accent)"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
      >
        <path d="M5 25V11l11-6 11 6v14M5 11l11 6 11-6M16 17v8" />
        <path d="M2 25h28M4 28.5h24" />
      </svg>
      <span className="min-w-0 font-display text-xl leading-tight tracking-tight">{maker.brand}</span>
    </span>
  )
}

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
