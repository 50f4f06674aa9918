import { useLanguage } from '../language/language.tsx'
import { Section } from './section.tsx'

export function Services() {
  const { texts } = useLanguage()
  const { label, title, intro, items } = texts.services
  return (
    <Section tone="bone" number="01" label={label} title={title} intro={intro}>
      <ul className="grid border-t border-(--line) sm:grid-cols-2 sm:gap-x-12 lg:grid-cols-3">
        {items.map(({ name, text, scales }) => (
          <li key={name} className="flex flex-col border-b border-(--line) py-7">
            <div className="flex items-baseline justify-between gap-4">
              <h3 className="text-2xl">{name}</h3>
              <span className="lettering whitespace-nowrap text-(--accent)">{scales}</span>
            </div>
            <p className="mt-3 max-w-[34ch] text-(--quiet)">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
