import type { ReactNode } from 'react'
import { useLanguage } from '../../language/language.tsx'
import { SocialLinks } from '../page/social-links.tsx'

const link =
  'inline-flex min-h-11 max-w-full items-center wrap-anywhere underline decoration-(--line) underline-offset-4 hover:decoration-current'

/** Beside the form. */
export function ContactDetails() {
  const { texts, maker } = useLanguage()
  const { details, email, phone, whatsapp, city, cityName, social } = texts.contact
  return (
    <div className="min-w-0">
      <h3 className="sr-only">{details}</h3>
      <dl className="border-t border-(--line)">
        <Detail name={email}>
          <a href={`mailto:${maker.email}`} className={link}>
            {maker.email}
          </a>
        </Detail>
        <Detail name={phone}>
          {[...new Set(maker.phones)].filter(Boolean).map((number) => (
            <a key={number} href={`tel:${number.replaceAll(/[^+\d]/g, '')}`} className={`${link} mr-6`}>
              {number}
            </a>
          ))}
        </Detail>
        {maker.whatsapp && (
          <Detail name="WhatsApp">
            <a href={whatsappAddress(maker.whatsapp, whatsapp.greeting)} target="_blank" rel="noopener" className={link}>
              {whatsapp.action}
            </a>
          </Detail>
        )}
        <Detail name={city}>
          <span className="inline-flex min-h-11 max-w-full items-center wrap-anywhere">{cityName}</span>
        </Detail>
        <Detail name={social}>
          <SocialLinks />
        </Detail>
      </dl>
    </div>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="border-b border-(--line) py-4">
      <dt className="lettering text-(--accent)">{name}</dt>
      <dd className="mt-1">{children}</dd>
    </div>
  )
}

function whatsappAddress(number: string, greeting: string) {
  return `https://wa.me/${number.replaceAll(/\D/g, '')}?text=${encodeURIComponent(greeting)}`
}
