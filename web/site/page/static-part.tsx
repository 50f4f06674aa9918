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

/**
 * A part of the page without interaction. In the browser its server-rendered HTML stays, without its code, until
 * `loadStaticParts` is called: React does not hydrate a Suspense boundary while its code is pending. The element must be the
 * same at every rendering, or React drops the HTML.
 */
export function staticPart(importPart: () => Promise<ComponentType>, onServer: ComponentType | undefined) {
  let take = () => {}
  const mounted = new Promise<void>((resolve) => {
    take = resolve
  })
  const imported = loading.then(importPart)
  const taken = imported.then(() => mounted)
  taken.catch(() => {})
  const part = onServer ?? lazy(async () => ({ default: await imported }))
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
