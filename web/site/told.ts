import { type ComponentType, lazy } from 'react'

let tell = () => {}
const isTold = new Promise<void>((resolve) => {
  tell = resolve
})

/**
 * A part of the page that only tells something. It stays as the server has sent it, without its script, until `tellAnew` is
 * called: React leaves what the server rendered in a Suspense boundary alone for as long as its code is on the way. Its
 * element must be the same at every rendering, or React would take it for another one and drop what is there.
 */
export function told(load: () => Promise<ComponentType>) {
  return lazy(async () => {
    await isTold
    return { default: await load() }
  })
}

/** The words of these parts change, or the browser has to draw the page from the beginning. */
export const tellAnew = () => tell()
