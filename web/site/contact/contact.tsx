import type { ReactNode } from 'react'
import { useLanguage } from '../../language/language.tsx'
import type { AboutProject, SentForm } from '../../page.ts'
import { Commissions, Section } from '../page/section.tsx'
import { SocialLinks } from '../page/social-links.tsx'
import { LazyContactForm } from './lazy-contact-form.tsx'

type Props = { about: AboutProject | undefined; sentForm: SentForm | undefined }

/** The form comes first, so that its first field is in view on a phone too. */
export function Contact(props: Props) {
  const { texts, maker } = useLanguage()
  const { label, title, intro, details, email, phone, whatsapp, city, cityName, social } = texts.contact
  const link =
    'inline-flex min-h-11 max-w-full items-center wrap-anywhere underline decoration-(--line) underline-offset-4 hover:decoration-current'
  return (
    <Section
      tone="bone"
      number="07"
      label={label}
      title={title}
      intro={intro}
      id="contact"
      className="lazy [--height:106rem] lg:[--height:71rem] print:hidden"
    >
      <div className="grid grid-cols-1 gap-14 lg:grid-cols-[7fr_5fr] lg:gap-x-12">
        <Commissions className="-mb-6 lg:col-span-2" />
        <LazyContactForm {...props} />
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
      </div>
    </Section>
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
