import { type ComponentType, lazy, Suspense, useEffect } from 'react'

let load = () => {}
const loading = new Promise<void>((resolve) => {
  load = resolve
})

/** Of this page: what React takes over later than the rest. */
const late = new Set<Promise<void>>()

/** For a part of the page whose server-rendered HTML React takes over when `taken` is fulfilled. */
export function useLatePart(taken: Promise<void>) {
  useEffect(() => {
    late.add(taken)
    return () => void late.delete(taken)
  }, [taken])
}

/**
 * A part of the page that nothing happens in. In the browser it stays as the server has sent it, without its script, until
 * `loadStaticParts` is called: React leaves server-rendered HTML in a Suspense boundary alone while its code is pending. The
 * element must be the same at every rendering, or React would take it for another one and drop the HTML.
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
  // A part that leaves the page before React has taken it over is not waited for.
  useEffect(() => onTaken, [onTaken])
  return (
    <Suspense>
      <Part />
      <Taken onTaken={onTaken} />
    </Suspense>
  )
}

/** Its effect runs once React has taken over all of the boundary. */
function Taken({ onTaken }: Pick<Props, 'onTaken'>) {
  useEffect(onTaken, [onTaken])
  return null
}

/** For when their words change, or the browser has to draw the page from the beginning. Ends when React has taken them over. */
export async function loadStaticParts() {
  load()
  await Promise.all(late)
}
