import { isReserved } from '#contract/projects.ts'

const longest = 60

/** What a project may be called in an address, the best first; the last is always free. */
export function slugsOf(title: string, id: string) {
  const slug = slugOf(title)
  const withId = [`${slug}-${id.slice(0, 4)}`, `${slug}-${id}`]
  return isReserved(slug) ? withId : [slug, ...withId]
}

/** Of the letters and digits every keyboard has; words are left out rather than cut. */
function slugOf(title: string) {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  const cut =
    words.length > longest
      ? words
          .slice(0, longest + 1)
          .replace(/-[^-]*$/, '')
          .slice(0, longest)
      : words
  return cut || 'model'
}
