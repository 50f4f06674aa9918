import { maker as defaultMaker } from '#content/maker.ts'
import { withOwn } from '#content/with-own.ts'
import { jpegOf } from '#contract/first-visit.ts'
import { defaultLanguage, type Language, languages, localeOf } from '#contract/languages.ts'
import type { ProjectPhoto } from '#contract/projects.ts'
import { earlyScript } from './early-script.ts'
import displayFont from './fonts/fraunces.woff2?url'
import textFont from './fonts/inter.woff2?url'
import labelFont from './fonts/jetbrains-mono.woff2?url'
import icon from './icon.svg?url'
import { textsIn } from './language/site-texts.ts'
import { isPanel, type ListedProject, type PageInput } from './page.ts'
import { projectTexts } from './site/model/project-texts.ts'
import { heroPhotos } from './site/page/hero-photo.tsx'

/** What stands in the head of a page: for the tab, for search engines, for link previews, and what to fetch first. */
export function headOf(page: PageInput) {
  const tags = page.path === '/' ? publicTags(page) : hiddenTags(page)
  const script = isPanel(page.path) ? [] : [`<script>${earlyScript}</script>`]
  // A link that is followed before the panel takes care of it must not lead the preview away.
  const base = page.preview ? ['<base target="_blank">'] : []
  return [...base, `<link rel="icon" type="image/svg+xml" href="${icon}">`, ...tags, ...fontTags(), ...script].join('\n    ')
}

function publicTags(page: PageInput) {
  const { base, language, projects = [], featured = [], openProject } = page
  const { texts, maker } = ownOf(page)
  const project = openProject?.project
  const onPage = new Map([...featured, ...projects, ...(project ? [project] : [])].map((each) => [each.id, each]))
  const words = project && projectTexts(project, language)
  const title = words ? texts.page.projectTitle(words.title, maker.brand) : texts.page.title
  const description = words ? shorten(words.description) : texts.page.description
  const address = (lang?: Language) => addressOf(base, project?.slug, lang)
  const { narrow, wide } = heroPhotos(page.own?.photos)
  const pictures = project ? picturesOf(base, project) : [heroPicture(page)]
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    // Search engines take whole addresses or none.
    ...(base ? placesOf(address, language) : []),
    meta('property', 'og:type', project ? 'article' : 'website'),
    meta('property', 'og:site_name', maker.brand),
    meta('property', 'og:locale', localeOf(language).replace('-', '_')),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', address(language)),
    ...pictures.flatMap((picture, index) => [
      meta('property', 'og:image', picture),
      meta(
        'property',
        'og:image:alt',
        (index > 0 && captionOf(project?.photos?.[index - 1], language)) || (words?.title ?? (texts.hero.photo || maker.brand)),
      ),
    ]),
    meta('name', 'twitter:card', 'summary_large_image'),
    ...[narrow, wide].map(
      ({ source, media, sizes }) =>
        `<link rel="preload" as="image" type="image/avif" media="${media}" imagesrcset="${escapeHtml(source.avif)}" imagesizes="${sizes}" fetchpriority="high">`,
    ),
    structuredData(page, [...onPage.values()]),
  ]
}

/** Where the page is in each language, and where this one is at home. */
function placesOf(address: (language?: Language) => string, language: Language) {
  const alternate = (name: string, href: string) => `<link rel="alternate" hreflang="${name}" href="${escapeHtml(href)}">`
  return [
    link('canonical', address(language === defaultLanguage ? undefined : language)),
    ...languages.map((each) => alternate(each, address(each))),
    alternate('x-default', address()),
  ]
}

function ownOf({ language, own }: PageInput) {
  return { texts: withOwn(textsIn(language), own?.words), maker: withOwn(defaultMaker, own?.facts) }
}

/** Pages for no search engine: not found, and the admin area. */
function hiddenTags(page: PageInput) {
  const { texts, maker } = ownOf(page)
  const title = isPanel(page.path) ? maker.brand : texts.notFound.title
  return [`<title>${escapeHtml(title)}</title>`, meta('name', 'robots', 'noindex')]
}

function fontTags() {
  return [displayFont, textFont, labelFont].map(
    (font) => `<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin>`,
  )
}

function structuredData(page: PageInput, projects: readonly ListedProject[]) {
  const { base, language } = page
  const { texts, maker } = ownOf(page)
  const business = {
    '@type': 'LocalBusiness',
    '@id': `${base}/#business`,
    name: maker.brand,
    description: texts.page.description,
    url: `${base}/`,
    image: heroPicture(page),
    email: maker.email,
    telephone: maker.phones[0],
    address: {
      '@type': 'PostalAddress',
      addressLocality: maker.city,
      addressRegion: maker.region,
      addressCountry: maker.country,
    },
    founder: {
      '@type': 'Person',
      '@id': `${base}/#maker`,
      ...(maker.name && { name: maker.name }),
      jobTitle: texts.page.profession,
      worksFor: { '@id': `${base}/#business` },
    },
  }
  const works = projects.map((project) => {
    const { title, description, materials } = projectTexts(project, language)
    return {
      '@type': 'VisualArtwork',
      name: title,
      description,
      url: addressOf(base, project.slug, language),
      image: picturesOf(base, project),
      artform: project.category && texts.gallery.categories[project.category],
      ...(materials && { artMedium: materials }),
      dateCreated: project.createdAt,
      creator: { '@id': `${base}/#maker` },
    }
  })
  const graph = { '@context': 'https://schema.org', '@graph': [business, ...works] }
  return `<script type="application/ld+json">${JSON.stringify(graph).replaceAll('<', '\\u003c')}</script>`
}

function addressOf(base: string, slug: string | undefined, language: Language | undefined) {
  const query = new URLSearchParams({ ...(slug && { project: slug }), ...(language && { lang: language }) })
  return query.size > 0 ? `${base}/?${query}` : `${base}/`
}

/** The cover, then the photos beside it, of a project whose photos are known. */
function picturesOf(base: string, { imageUrl, photos = [] }: ListedProject) {
  const addresses = [imageUrl, ...photos.map((photo) => photo.imageUrl)].filter(Boolean)
  return addresses.map((address) => absolute(base, jpegOf(address)))
}

function captionOf(photo: ProjectPhoto | undefined, language: Language) {
  return photo && (photo.translations[language]?.caption ?? photo.caption)
}

/** The first photo of the page, for programs. */
function heroPicture({ base, own }: PageInput) {
  const { address } = own?.photos.hero ?? {}
  return absolute(base, address ? jpegOf(address) : heroPhotos().wide.source.src)
}

function absolute(base: string, address: string) {
  return address.startsWith('/') ? `${base}${address}` : address
}

function shorten(text: string) {
  return text.length <= 200 ? text : `${text.slice(0, text.lastIndexOf(' ', 197))}…`
}

export function meta(kind: 'name' | 'property', name: string, content: string) {
  return `<meta ${kind}="${name}" content="${escapeHtml(content)}">`
}

function link(rel: string, href: string) {
  return `<link rel="${rel}" href="${escapeHtml(href)}">`
}

export function escapeHtml(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
