import { maker } from '#content/maker.ts'
import { defaultOf, serverTexts } from '#content/server-texts.ts'
import { withOwn } from '#content/with-own.ts'
import { storedHash } from '#contract/first-visit.ts'
import type { ImageFacts } from '#contract/images.ts'
import type { Language } from '#contract/languages.ts'
import { type OwnFields, type PhotoName, partsOfField, type SiteField, siteFields } from '#contract/site-fields.ts'
import { dayIn, momentOf } from '#server/clock.ts'
import { factsIn } from '#server/features/site-content/site-content.queries.ts'
import type { ServerTexts } from '../../../content/en/server.ts'
import type { Maker } from '../../../content/maker.ts'

type Photo = { address?: string; facts?: ImageFacts; point?: string }

type SiteFields = {
  fields: OwnFields
  language: Language
  /** Of stored photos, by hash. */
  images: ReadonlyMap<string, ImageFacts>
  /** The maker's. */
  timeZone: string
  now: Date
}

/** What differs from the defaults, for a page in one language; undefined where nothing does. */
export function ownSiteOf({ fields, language, images, timeZone, now }: SiteFields) {
  const facts = { ...factsIn(fields), ...(timeZone !== maker.timeZone && { timeZone }) }
  const words = wordsOf({ fields, language, timeZone, now })
  const photos = photosOf(fields, images)
  const isOwn = Object.keys(fields).length > 0 || timeZone !== maker.timeZone
  return isOwn ? { words, facts, photos } : undefined
}

/** By path in content/en/site.ts. Default texts contain the name of the maker, and change with it. */
function wordsOf({ fields, language, timeZone, now }: Omit<SiteFields, 'images'>) {
  const commissionsField = `${language}.pricing.commissions` as const
  const all = siteFields
    .filter((field) => field.startsWith(`${language}.`) && field !== commissionsField)
    .flatMap((field) => {
      const own = fields[field] ?? defaultOf(field, fields)
      return own === defaultOf(field) ? [] : [[partsOfField(field).rule, own] as const]
    })
  const { commissions } = withOwn(maker, factsIn(fields))
  const sentence = fields[commissionsField] ?? ''
  const line = commissionsLine({
    commissions,
    sentence,
    texts: serverTexts[language].commissions,
    today: dayIn(timeZone, now),
  })
  return Object.fromEntries([...all, ...(line ? [['pricing.commissions', line]] : [])]) as Record<string, string>
}

/** When commissions open, at which moment the page changes. */
export function commissionsBegin(fields: OwnFields, timeZone: string) {
  const { commissions } = withOwn(maker, factsIn(fields))
  return commissions.state === 'from' && commissions.from ? momentOf(commissions.from, '00:00', timeZone) : undefined
}

function photosOf(fields: OwnFields, images: SiteFields['images']) {
  const photos: Record<string, Photo> = {}
  for (const [field, value] of Object.entries(fields) as [SiteField, string][]) {
    const [kind, name = '', part] = field.split('.')
    if (kind !== 'photos') continue
    const address = fields[`photos.${name as PhotoName}.image`] ?? ''
    const facts = images.get(storedHash(address) ?? '')
    // Without its file the default photo is shown, for which the point is wrong.
    if (address && !facts) continue
    const [x, y] = value.split(' ')
    photos[name] = { ...photos[name], ...(part === 'point' ? { point: `${x}% ${y}%` } : { address, ...(facts && { facts }) }) }
  }
  return photos
}

type Options = { commissions: Maker['commissions']; sentence: string; texts: ServerTexts['commissions']; today: string }

/**
 * What the page says about commissions: nothing while they are simply taken, which they are again from the named day on.
 * `today` is that of the maker, as 2027-03-01.
 */
export function commissionsLine({ commissions: { state, from }, sentence, texts, today }: Options) {
  const isLater = state === 'from' && from > today
  if (state === 'closed') return [texts.closed, sentence].filter(Boolean).join(' ')
  if (isLater) return [texts.from(from), sentence].filter(Boolean).join(' ')
  return sentence && state === 'open' ? `${texts.open} ${sentence}` : ''
}
