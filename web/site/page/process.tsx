import { useLanguage } from '../../language/language.tsx'
import { ProcessDrawing } from './process-drawing.tsx'
import { Section } from './section.tsx'

const stages = ['research', 'assembly', 'painting', 'finishing'] as const

export function Process() {
  const { texts } = useLanguage()
  const { label, title, steps } = texts.process
  return (
    <Section
      tone="bone"
      number="03"
      label={label}
      title={title}
      className="squared later border-t border-(--line) [--height:57rem] md:[--height:76rem] xl:[--height:50rem] print:hidden"
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
