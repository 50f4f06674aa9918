import type { SectionTexts } from '#content/en/sections.ts'
import { withOwn } from '#content/with-own.ts'
import { byLanguage } from '../../language/by-language.ts'
import { useLanguage } from '../../language/language.tsx'
import { buttonClasses } from '../../ui/button.tsx'
import { Section } from './section.tsx'

const texts = byLanguage(import.meta.glob<SectionTexts>('../../../content/*/sections.ts', { eager: true, import: 'sections' }))

/** Of the sections that no first visit loads: the server has rendered them. */
export function useSectionTexts() {
  const { language, words } = useLanguage()
  return withOwn(texts[language], words)
}

export function Services() {
  const { label, title, intro, items } = useSectionTexts().services
  return (
    <Section
      tone="bone"
      number="02"
      label={label}
      title={title}
      intro={intro}
      className="lazy [--height:68rem] md:[--height:62rem] lg:[--height:50rem] print:hidden"
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

const stages = ['research', 'assembly', 'painting', 'finishing'] as const

export function Process() {
  const { label, title, steps } = useSectionTexts().process
  return (
    <Section
      tone="bone"
      number="03"
      label={label}
      title={title}
      className="squared lazy border-t border-(--line) [--height:57rem] md:[--height:76rem] xl:[--height:50rem] print:hidden"
    >
      <ol className="grid grid-cols-1 gap-x-10 gap-y-6 md:grid-cols-2 md:gap-y-14 xl:grid-cols-4">
        {stages.map((stage, index) => (
          <li key={stage} className="flex flex-wrap items-center gap-x-5 gap-y-3 md:block">
            <div className="min-w-[min(8rem,100%)] flex-[2] border border-(--line) bg-(--raised) p-3 [--sheet:var(--color-bone-raised)] md:p-5">
              <ProcessDrawing stage={stage} />
            </div>
            <div className="min-w-[min(10rem,100%)] flex-[3]">
              <div className="flex items-center gap-3 md:mt-6 md:gap-4">
                <span className="grid size-7 shrink-0 place-items-center rounded-full border border-(--accent) font-mono text-sm text-(--accent) md:size-8">
                  {index + 1}
                </span>
                <h3 className="min-w-0 text-xl md:text-2xl">{steps[index]?.name}</h3>
              </div>
              <p className="mt-2 max-w-[38ch] text-[0.9375rem] text-(--quiet) md:mt-3 md:text-base">{steps[index]?.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}

type Stage = 'research' | 'assembly' | 'painting' | 'finishing'

/** The same engine in four stages: drawn, built, painted, under glass. */
export function ProcessDrawing({ stage }: { stage: Stage }) {
  return (
    <svg
      viewBox="0 0 240 150"
      className="w-full"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.25"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {stage === 'research' && <Measures />}
      {stage === 'finishing' && <Case />}
      <g strokeDasharray={stage === 'research' ? '3 3' : undefined}>
        <Body lifted={stage === 'assembly'} painted={stage === 'painting' || stage === 'finishing'} />
        <Running painted={stage === 'painting' || stage === 'finishing'} />
      </g>
      {stage === 'assembly' && <Rivets />}
      <path d="M22 124h196" />
    </svg>
  )
}

function Body({ lifted, painted }: { lifted: boolean; painted: boolean }) {
  const colour = painted ? 'fill-brass/30' : 'fill-(--sheet)'
  return (
    <>
      {lifted && <path d="M76 60v22M188 60v22M132 70v14" strokeDasharray="2 3" className="text-(--accent)" />}
      <g transform={lifted ? 'translate(0 -16)' : undefined} className={colour}>
        <path d="M74 50h98v34H74z" />
        <path d="M172 46h22v38h-22z" className={painted ? 'fill-ink/80' : undefined} />
        <path d="M176 46l-3-20h20l-3 20zM171 26h24" className={painted ? 'fill-ink/80' : undefined} />
        <path d="M104 50c0-15 18-15 18 0zM140 50v-9h9v9" className={painted ? 'fill-brass' : undefined} />
        <path d="M98 50v34M128 50v34M156 50v34" className={painted ? 'text-(--accent)' : undefined} />
      </g>
      <g className={colour}>
        <path d="M40 84V36h34v48zM36 36h44" />
        <path d="M47 44h9v14h-9zM61 44h9v14h-9z" className="fill-(--sheet)" />
      </g>
      <path d="M30 84h172v8H30zM202 82v12M202 88h8M210 83v10" className={painted ? 'fill-oxide/50' : 'fill-(--sheet)'} />
    </>
  )
}

function Running({ painted }: { painted: boolean }) {
  const drivers = [78, 114, 150]
  return (
    <g className={painted ? 'fill-oxide/25' : 'fill-(--sheet)'}>
      {drivers.map((x) => (
        <g key={x}>
          <circle cx={x} cy="107" r="17" />
          <circle cx={x} cy="107" r="4" />
          <path d={`M${x - 17} 107h34M${x} 90v34M${x - 12} 95l24 24M${x + 12} 95l-24 24`} strokeWidth="0.6" />
        </g>
      ))}
      <circle cx="186" cy="114" r="10" />
      <circle cx="44" cy="114" r="10" />
      <path d="M78 111h72l34-14M172 92h22v12h-22z" className="fill-none" strokeWidth="2" />
    </g>
  )
}

function Measures() {
  return (
    <g className="text-(--accent)" strokeWidth="0.9">
      <path d="M30 12v20M210 12v64M30 16h180M34 13l-4 3 4 3M206 13l4 3-4 3" />
      <path d="M224 26v98M220 26h10M220 124h10M221 30l3-4 3 4M221 120l3 4 3-4" />
      <path d="M78 107m-26 0a26 26 0 0 1 26-26M114 82v50M78 82v50M150 82v50" strokeDasharray="8 3 2 3" />
    </g>
  )
}

function Rivets() {
  const positions = Array.from({ length: 12 }, (_, index) => 80 + index * 8)
  return (
    <g className="fill-current" stroke="none">
      {positions.map((x) => (
        <circle key={x} cx={x} cy="38" r="1" />
      ))}
      {positions.map((x) => (
        <circle key={x} cx={x} cy="64" r="1" />
      ))}
    </g>
  )
}

function Case() {
  return (
    <g className="text-(--accent)" strokeWidth="0.9">
      <path d="M16 124V10h208v114M16 10l8-6h208v114l-8 6M224 10l8-6" />
      <path d="M10 124h220v10H10zM6 134h228v8H6z" className="fill-(--sheet)" />
      <path d="M98 126.500h44v5H98z" />
      <path d="M150 22l-22 34M162 22l-14 22" strokeWidth="0.6" />
    </g>
  )
}

export function NotFound() {
  const { texts, link } = useLanguage()
  const { title, text, hint, home } = texts.notFound
  return (
    <main className="on-ink squared grid min-h-svh place-items-center px-5 py-16 [--sheet:var(--color-ink)]">
      <div className="max-w-lg text-center">
        <div className="mx-auto mb-10 max-w-64 text-(--quiet)">
          <ProcessDrawing stage="research" />
        </div>
        <h1 className="text-[clamp(2.25rem,1.6rem+3vw,3.5rem)]">{title}</h1>
        <p className="mt-5 text-lg">{text}</p>
        <p className="mt-3 font-mono text-[0.9375rem] text-(--quiet)">{hint}</p>
        <a href={link('/')} className={`${buttonClasses({ tone: 'brass', size: 'large' })} mt-10`}>
          {home}
        </a>
      </div>
    </main>
  )
}
