import { useLanguage } from '../../language/language.tsx'
import { buttonClasses } from '../../ui/button.tsx'
import { ProcessDrawing } from './process-drawing.tsx'

export function NotFound() {
  const { texts, link } = useLanguage()
  const { title, hint, home } = texts.notFound
  return (
    <main className="on-ink squared grid min-h-svh place-items-center px-5 py-16 [--sheet:var(--color-ink)]">
      <div className="max-w-lg text-center">
        <div className="mx-auto mb-10 max-w-64 text-(--quiet)">
          <ProcessDrawing stage="research" />
        </div>
        <h1 className="text-[clamp(2.25rem,1.6rem+3vw,3.5rem)]">{title}</h1>
        <p className="mt-5 font-mono text-[0.9375rem] text-(--quiet)">{hint}</p>
        <a href={link('/')} className={`${buttonClasses({ tone: 'brass' })} mt-10`}>
          {home}
        </a>
      </div>
    </main>
  )
}
