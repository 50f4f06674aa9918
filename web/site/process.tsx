import { useLanguage } from '../language/language.tsx'
import { ProcessDrawing } from './process-drawing.tsx'
import { Section } from './section.tsx'

const stages = ['research', 'assembly', 'painting', 'finishing'] as const

export function Process() {
  const { texts } = useLanguage()
  const { label, title, steps } = texts.process
  return (
    <Section tone="bone" number="03" label={label} title={title} className="[--sheet:var(--color-bone)]">
      <ol className="grid gap-x-10 gap-y-14 sm:grid-cols-2 xl:grid-cols-4">
        {stages.map((stage, index) => (
          <li key={stage}>
            <div className="border border-(--line) bg-(--raised) p-5 [--sheet:var(--color-bone-raised)]">
              <ProcessDrawing stage={stage} />
            </div>
            <div className="mt-6 flex items-baseline gap-4">
              <span className="grid size-8 shrink-0 place-items-center self-center rounded-full border border-(--accent) font-mono text-sm text-(--accent)">
                {index + 1}
              </span>
              <h3 className="text-2xl">{steps[index]?.name}</h3>
            </div>
            <p className="mt-3 max-w-[38ch] text-(--quiet)">{steps[index]?.text}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
