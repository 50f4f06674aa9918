import type { Plugin } from 'vite'

/** The page can be read before its script has run: let the first photo and the fonts have the line to themselves. */
export function photosFirst(): Plugin {
  return {
    name: 'photos-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"'),
    },
  }
}
