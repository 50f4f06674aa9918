import { type ComponentType, lazy, Suspense, useEffect } from 'react'

let load = () => {}
const loading = new Promise<void>((resolve) => {
  load = resolve
})

/** The parts that are hydrated after the rest. */
const late = new Set<Promise<void>>()

/** For a part whose HTML is hydrated when `taken` resolves. */
export function useLatePart(taken: Promise<void>) {
  useEffect(() => {
    late.add(taken)
    return () => void late.delete(taken)
  }, [taken])
}

/** Resolves when an element of the server-rendered page comes within the height of a screen. */
export function nearby(selector: string) {
  return new Promise<void>((resolve) => {
    const element = import.meta.env.SSR ? null : document.querySelector(selector)
    if (!element) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && resolve(), { rootMargin: '100%' })
    observer.observe(element)
  })
}

/**
 * A part of the page without interaction, or whose interaction is not needed before it is `near`. In the browser its
 * server-rendered HTML stays, without its code, until then or until `loadStaticParts` is called: React does not hydrate a
 * Suspense boundary while its code is pending. The element must be the same at every rendering, or React drops the HTML.
 */
export function staticPart(
  importPart: () => Promise<ComponentType>,
  onServer: ComponentType | undefined,
  near: Promise<void> = loading,
) {
  let take = () => {}
  const mounted = new Promise<void>((resolve) => {
    take = resolve
  })
  const imported = Promise.race([loading, near]).then(importPart)
  const taken = imported.then(() => mounted)
  taken.catch(() => {})
  // Where its code cannot be loaded it stays as the server sent it: a rejection would take the whole page down.
  const loaded = new Promise<{ default: ComponentType }>((resolve) => {
    imported.then((part) => resolve({ default: part })).catch(() => {})
  })
  const part = onServer ?? lazy(() => loaded)
  return <StaticPart part={part} taken={taken} onTaken={take} />
}

type Props = { part: ComponentType; taken: Promise<void>; onTaken(): void }

function StaticPart({ part: Part, taken, onTaken }: Props) {
  useLatePart(taken)
  // A part that is unmounted before hydration is not waited for.
  useEffect(() => onTaken, [onTaken])
  return (
    <Suspense>
      <Part />
      <Taken onTaken={onTaken} />
    </Suspense>
  )
}

/** Its effect runs when the boundary is hydrated. */
function Taken({ onTaken }: Pick<Props, 'onTaken'>) {
  useEffect(onTaken, [onTaken])
  return null
}

/** For a change of language, and when hydration fails. Resolves when all parts are hydrated. */
export async function loadStaticParts() {
  load()
  await Promise.all(late)
}
