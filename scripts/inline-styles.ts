import type { Plugin } from 'vite'

/** The sheet every page needs stands in the page: a phone paints without asking for a second file. */
export function inlineStyles(): Plugin {
  return {
    name: 'inline-styles',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) =>
        html.replaceAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/g, (link, file: string) => {
          const asset = bundle[file]
          return asset?.type === 'asset' ? `<style>${asset.source}</style>` : link
        }),
    },
  }
}
