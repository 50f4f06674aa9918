import { useLanguage } from '../language/language.tsx'
import { Button } from '../ui/button.tsx'
import { toForm } from './scroll-to.ts'
import { Section } from './section.tsx'

export function Pricing() {
  const { texts } = useLanguage()
  const { label, title, description, action, response, hours, hoursLabel } = texts.pricing
  return (
    <Section tone="ink" number="04" label={label} title={title} className="squared">
      <div className="grid gap-14 lg:grid-cols-12 lg:gap-12">
        <div className="lg:col-span-6">
          <p className="max-w-prose text-lg text-(--quiet)">{description}</p>
          <div className="mt-9 flex flex-wrap items-center gap-x-6 gap-y-4">
            <Button tone="brass" onClick={toForm}>
              {action}
            </Button>
            <p>{response}</p>
          </div>
        </div>
        <div aria-hidden="true" className="self-center lg:col-span-5 lg:col-start-8">
          <div className="flex items-center">
            <span className="h-24 border-l border-(--accent)" />
            <Reach />
            <span className="px-5 font-display text-[clamp(4.5rem,3rem+6vw,8rem)] leading-none tracking-tight">{hours}</span>
            <Reach flipped />
            <span className="h-24 border-l border-(--accent)" />
          </div>
          <p className="lettering mt-5 text-center text-(--quiet)">{hoursLabel}</p>
        </div>
      </div>
    </Section>
  )
}

/** One half of a dimension line, its arrow touching the measure. */
function Reach({ flipped = false }: { flipped?: boolean }) {
  return (
    <svg
      viewBox="0 0 60 12"
      preserveAspectRatio={flipped ? 'xMaxYMid slice' : 'xMinYMid slice'}
      className="h-3 min-w-6 flex-1 text-(--accent)"
      stroke="currentColor"
      fill="none"
      aria-hidden="true"
    >
      <path d={flipped ? 'M-400 6h459M50 2l9 4-9 4' : 'M1 6h459M10 2L1 6l9 4'} />
    </svg>
  )
}
