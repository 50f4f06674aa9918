import { useLanguage } from '../../language/language.tsx'
import type { AboutProject, SentForm } from '../../page.ts'
import { Commissions, Section } from '../page/section.tsx'
import { staticPart } from '../page/static-part.tsx'
import { LazyContactForm } from './lazy-contact-form.tsx'

const loadDetails = async () => (await import('./contact-details.tsx')).ContactDetails
const details = staticPart(loadDetails, import.meta.env.SSR ? await loadDetails() : undefined)

type Props = { about: AboutProject | undefined; sentForm: SentForm | undefined }

/** The form comes first, so that its first field is in view on a phone too. */
export function Contact(props: Props) {
  const { texts } = useLanguage()
  const { label, title, intro } = texts.contact
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
        {details}
      </div>
    </Section>
  )
}
