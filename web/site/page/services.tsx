import { useLanguage } from '../../language/language.tsx'
import { Section } from './section.tsx'

export function Services() {
  const { texts } = useLanguage()
  const { label, title, intro, items } = texts.services
  return (
    <Section
      tone="bone"
      number="02"
      label={label}
      title={title}
      intro={intro}
      className="later [--height:68rem] md:[--height:62rem] lg:[--height:50rem] print:hidden"
    >
      <ul className="grid grid-cols-1 border-t border-(--line) sm:grid-cols-2 sm:gap-x-12 lg:grid-cols-3">
        {Object.entries(items).map(([place, { name, text, scales }]) => (
          <li key={place} className="flex flex-col border-b border-(--line) py-4 md:py-7">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <h3 className="text-xl md:text-2xl">{name}</h3>
              <span className="lettering text-(--accent)">{scales}</span>
            </div>
            <p className="mt-1 max-w-[34ch] text-[0.9375rem] text-(--quiet) max-sm:max-w-none md:mt-3 md:text-base">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
