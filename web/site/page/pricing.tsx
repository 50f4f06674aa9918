import { useLanguage } from '../../language/language.tsx'
import { Commissions, Reach, SectionButton, SectionLabel } from './section.tsx'

export function Pricing() {
  const { texts } = useLanguage()
  const { label, title, description, action, response, hours, hoursLabel } = texts.pricing
  return (
    <section aria-labelledby="section-04" className="on-ink lazy [--height:45rem] md:[--height:42rem] print:hidden">
      <div className="page-width py-16 md:py-24">
        <div aria-hidden="true">
          <div className="flex items-center">
            <span className="h-16 border-l border-(--accent) md:h-24" />
            <Reach className="flex-1 text-(--accent)" />
            <span className="px-[min(1rem,3vw)] font-display text-[min(2.5rem+8vw,22vw,10rem)] leading-none tracking-tight whitespace-nowrap md:px-8">
              {hours}
            </span>
            <Reach flipped className="flex-1 text-(--accent)" />
            <span className="h-16 border-l border-(--accent) md:h-24" />
          </div>
          <p className="lettering mt-4 text-center text-(--quiet)">{hoursLabel}</p>
        </div>
        <div className="mt-12 grid gap-x-12 gap-y-5 md:mt-16 lg:grid-cols-2">
          <div className="min-w-0">
            <SectionLabel number="04" label={label} />
            <h2 id="section-04" className="mt-4 text-[clamp(2.125rem,1.6rem+2.6vw,4rem)]">
              {title}
            </h2>
          </div>
          <div className="min-w-0 lg:self-end">
            <p className="max-w-prose text-lg text-(--quiet)">{description}</p>
            <div className="mt-7 flex flex-wrap items-center gap-x-6 gap-y-4">
              <SectionButton to="contact" tone="brass">
                {action}
              </SectionButton>
              <p>{response}</p>
            </div>
            <Commissions className="mt-7" />
          </div>
        </div>
      </div>
    </section>
  )
}
