import { jpegOf } from '#contract/first-visit.ts'
import { languages } from '#contract/languages.ts'
import { securityText } from '#contract/pages.ts'
import { day } from '#server/clock.ts'

/** Search engines take no more addresses than this at once. */
const maxAddresses = 50_000

export type MappedProject = { slug: string; imageUrl: string; photos: readonly { imageUrl: string }[] }

/** The home page and every project in the maker's order, each with its address in every language and all its photos. */
export async function* sitemapText(base: string, projects: AsyncIterable<readonly MappedProject[]>) {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n'
  yield urlOf(base, '')
  let left = maxAddresses - 1
  for await (const some of projects) {
    yield some
      .slice(0, left)
      .map(({ slug, imageUrl, photos }) => urlOf(base, `project=${slug}`, [imageUrl, ...photos.map((photo) => photo.imageUrl)]))
      .join('')
    left -= some.length
    if (left <= 0) break
  }
  yield '</urlset>\n'
}

function urlOf(base: string, query: string, photos: readonly string[] = []) {
  const alternates = [
    ...languages.map((language) => [language, addressOf(base, query, language)] as const),
    ['x-default', addressOf(base, query)] as const,
  ]
  const links = alternates.map(([language, href]) => `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`)
  const images = photos.map((photo) => `<image:image><image:loc>${inXml(photoAddress(base, photo))}</image:loc></image:image>`)
  return `<url><loc>${addressOf(base, query)}</loc>${links.join('')}${images.join('')}</url>\n`
}

function addressOf(base: string, query: string, language?: string) {
  const parts = [query, language && `lang=${language}`].filter(Boolean)
  return inXml(parts.length > 0 ? `${base}/?${parts.join('&')}` : `${base}/`)
}

/** The copy that link previews show: search engines need not fetch the original. */
function photoAddress(base: string, photo: string) {
  const copy = jpegOf(photo)
  return copy.startsWith('/') ? `${base}${copy}` : copy
}

function inXml(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** A sitemap is named by a whole address or not at all. */
export function robotsOf(base: string) {
  const rules = ['User-agent: *', 'Disallow: /admin', 'Disallow: /api/', '']
  return [...rules, ...(base ? [`Sitemap: ${base}/sitemap.xml`, ''] : [])].join('\n')
}

type About = { base: string; email: string; now: Date }

/** RFC 9116 wants less than a year; it is written anew at every answer, so that it never expires while the site runs. */
const validFor = 180 * day

/** Where to report a vulnerability. */
export function securityTextOf({ base, email, now }: About) {
  return [
    `Contact: mailto:${email}`,
    `Expires: ${new Date(now.getTime() + validFor).toISOString()}`,
    `Preferred-Languages: ${languages.join(', ')}`,
    ...(base ? [`Canonical: ${base}${securityText.path}`] : []),
    '',
  ].join('\n')
}
