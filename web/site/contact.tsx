import type { ReactNode } from 'react'
import { maker } from '#content/maker.ts'
import { useLanguage } from '../language/language.tsx'
import { ContactForm } from './contact-form.tsx'
import { Section } from './section.tsx'
import { SocialLinks } from './social-links.tsx'

export function Contact() {
  const { texts } = useLanguage()
  const { label, title, intro, details, email, phone, city, cityName, social } = texts.contact
  const link = 'inline-flex min-h-11 items-center underline decoration-(--line) underline-offset-4 hover:decoration-current'
  return (
    <Section tone="bone" number="07" label={label} title={title} intro={intro} id="contact" className="print:hidden">
      <div className="grid gap-14 lg:grid-cols-12 lg:gap-12">
        <div className="lg:col-span-4">
          <h3 className="sr-only">{details}</h3>
          <dl className="border-t border-(--line)">
            <Detail name={email}>
              <a href={`mailto:${maker.email}`} className={link}>
                {maker.email}
              </a>
            </Detail>
            <Detail name={phone}>
              {maker.phones.map((number) => (
                <a key={number} href={`tel:${number.replaceAll(' ', '')}`} className={`${link} mr-6 whitespace-nowrap`}>
                  {number}
                </a>
              ))}
            </Detail>
            <Detail name={city}>
              <span className="inline-flex min-h-11 items-center">{cityName}</span>
            </Detail>
            <Detail name={social}>
              <SocialLinks />
            </Detail>
          </dl>
        </div>
        <div className="lg:col-span-7 lg:col-start-6">
          <ContactForm />
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
