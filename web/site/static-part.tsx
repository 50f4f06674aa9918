import { type ComponentType, lazy, Suspense } from 'react'

let load = () => {}
const loading = new Promise<void>((resolve) => {
  load = resolve
})

/**
 * A part of the page that nothing happens in. In the browser it stays as the server has sent it, without its script, until
 * `loadStaticParts` is called: React leaves server-rendered HTML in a Suspense boundary alone while its code is pending. The
 * element must be the same at every rendering, or React would take it for another one and drop the HTML.
 */
export function staticPart(importPart: () => Promise<ComponentType>, onServer: ComponentType | undefined) {
  const Part =
    onServer ??
    lazy(async () => {
      await loading
      return { default: await importPart() }
    })
  return (
    <Suspense>
      <Part />
    </Suspense>
  )
}

/** For when their words change, or the browser has to draw the page from the beginning. */
export const loadStaticParts = () => load()
