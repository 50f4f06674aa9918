import { type ComponentType, lazy, Suspense } from 'react'

let tell = () => {}
const isTold = new Promise<void>((resolve) => {
  tell = resolve
})

/**
 * A part of the page that only tells something. In the browser it stays as the server has sent it, without its script, until
 * `tellAnew` is called: React leaves what the server rendered in a Suspense boundary alone while its code is on the way. The
 * element must be the same at every rendering, or React would take it for another one and drop what is there.
 */
export function told(load: () => Promise<ComponentType>, onServer: ComponentType | undefined) {
  const Part =
    onServer ??
    lazy(async () => {
      await isTold
      return { default: await load() }
    })
  return (
    <Suspense>
      <Part />
    </Suspense>
  )
}

/** The words of these parts change, or the browser has to draw the page from the beginning. */
export const tellAnew = () => tell()
