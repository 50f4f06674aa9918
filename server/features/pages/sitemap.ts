import { languages } from '#contract/languages.ts'
import type { Project } from '#contract/projects.ts'

/** The home page and every project, each with its address in every language. */
export function sitemapOf(base: string, projects: readonly Project[]) {
  const pages = [{ query: '' }, ...projects.map((project) => ({ query: `project=${project.id}` }))]
  const urls = pages.map(({ query }) => {
    const alternates = [
      ...languages.map((language) => [language, addressOf(base, query, language)] as const),
      ['x-default', addressOf(base, query)] as const,
    ]
    const links = alternates.map(([language, href]) => `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`)
    return `<url><loc>${addressOf(base, query)}</loc>${links.join('')}</url>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n')
}

function addressOf(base: string, query: string, language?: string) {
  const parts = [query, language && `lang=${language}`].filter(Boolean)
  return inXml(parts.length > 0 ? `${base}/?${parts.join('&')}` : `${base}/`)
}

function inXml(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** A sitemap is named by a whole address or not at all. */
export function robotsOf(base: string) {
  const rules = ['User-agent: *', 'Disallow: /admin', 'Disallow: /api/', '']
  return [...rules, ...(base ? [`Sitemap: ${base}/sitemap.xml`, ''] : [])].join('\n')
}
