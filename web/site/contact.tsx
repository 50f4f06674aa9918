import type { ReactNode } from 'react'
import { maker } from '#content/maker.ts'
import { useLanguage } from '../language/language.tsx'
import { ContactForm } from './contact-form.tsx'
import { Section } from './section.tsx'
import { SocialLinks } from './social-links.tsx'

export function Contact() {
  const { texts } = useLanguage()
  const { label, title, intro, details, email, phone, city, cityName, social } = texts.contact
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
      className="later [--height:91rem] lg:[--height:61rem] print:hidden"
    >
      <div className="grid grid-cols-1 gap-14 lg:grid-cols-[4fr_7fr] lg:gap-24">
        <div className="min-w-0">
          <h3 className="sr-only">{details}</h3>
          <dl className="border-t border-(--line)">
            <Detail name={email}>
              <a href={`mailto:${maker.email}`} className={link}>
                {maker.email}
              </a>
            </Detail>
            <Detail name={phone}>
              {maker.phones.map((number) => (
                <a key={number} href={`tel:${number.replaceAll(' ', '')}`} className={`${link} mr-6`}>
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
        <div className="min-w-0">
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
