import { jpegOf } from '#contract/first-visit.ts'
import { languages } from '#contract/languages.ts'
import { securityText } from '#contract/pages.ts'
import { day } from '#server/clock.ts'

/** The limit of the sitemap protocol. */
const maxAddresses = 50_000

export type SitemapProject = { slug: string; imageUrl: string; photos: readonly { imageUrl: string }[] }

/** The home page and every project, each with its addresses in all languages and its photos. */
export async function* sitemapText(base: string, projects: AsyncIterable<readonly SitemapProject[]>) {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n'
  yield urlOf(base, '')
  let left = maxAddresses - 1
  for await (const slice of projects) {
    yield slice
      .slice(0, left)
      .map(({ slug, imageUrl, photos }) => urlOf(base, `project=${slug}`, [imageUrl, ...photos.map((photo) => photo.imageUrl)]))
      .join('')
    left -= slice.length
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

/** The JPEG of link previews, which is smaller than the original. */
function photoAddress(base: string, photo: string) {
  const copy = jpegOf(photo)
  return copy.startsWith('/') ? `${base}${copy}` : copy
}

function inXml(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** The address of a sitemap must be absolute: without PUBLIC_URL there is none. */
export function robotsOf(base: string) {
  const rules = ['User-agent: *', 'Disallow: /admin', 'Disallow: /api/', '']
  return [...rules, ...(base ? [`Sitemap: ${base}/sitemap.xml`, ''] : [])].join('\n')
}

type SecurityContact = { base: string; email: string; now: Date }

/** RFC 9116 recommends less than a year; every answer has a new date. */
const validFor = 180 * day

/** security.txt: where to report a vulnerability. */
export function securityTextOf({ base, email, now }: SecurityContact) {
  return [
    `Contact: mailto:${email}`,
    `Expires: ${new Date(now.getTime() + validFor).toISOString()}`,
    `Preferred-Languages: ${languages.join(', ')}`,
    ...(base ? [`Canonical: ${base}${securityText.path}`] : []),
    '',
  ].join('\n')
}
