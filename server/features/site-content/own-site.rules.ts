import { commissionsLine } from '#content/commissions.ts'
import { maker } from '#content/maker.ts'
import { defaultOf, serverTexts } from '#content/server-texts.ts'
import { withOwn } from '#content/with-own.ts'
import { storedHash } from '#contract/image-addresses.ts'
import type { ImageFacts } from '#contract/images.ts'
import type { Language } from '#contract/languages.ts'
import { type OwnFields, type PhotoName, partsOfField, type SiteField, siteFields } from '#contract/site-fields.ts'
import { factsIn } from '#server/database/site-content.ts'
import { dayIn, momentOf } from '#server/time-zone.rules.ts'

type Photo = { address?: string; facts?: ImageFacts; point?: string }

type Known = {
  fields: OwnFields
  language: Language
  /** Of the photos that are stored, by their hashes. */
  images: ReadonlyMap<string, ImageFacts>
  now: Date
}

/** What a page in a language needs of the fields: only what differs from what the site came with, and nothing when all is so. */
export function ownSiteOf({ fields, language, images, now }: Known) {
  const facts = factsIn(fields)
  const words = wordsOf({ fields, language, now })
  const photos = photosOf(fields, images)
  const isOwn = Object.keys(fields).length > 0
  return isOwn ? { words, facts, photos } : undefined
}

/** By their paths in content/en/site.ts. Those the site came with follow the name of the maker. */
function wordsOf({ fields, language, now }: Pick<Known, 'fields' | 'language' | 'now'>) {
  const commissionsField = `${language}.pricing.commissions` as const
  const all = siteFields
    .filter((field) => field.startsWith(`${language}.`) && field !== commissionsField)
    .flatMap((field) => {
      const own = fields[field] ?? defaultOf(field, fields)
      return own === defaultOf(field) ? [] : [[partsOfField(field).rule, own] as const]
    })
  const { commissions, timeZone } = withOwn(maker, factsIn(fields))
  const sentence = fields[commissionsField] ?? ''
  const line = commissionsLine({
    commissions,
    sentence,
    texts: serverTexts[language].commissions,
    today: dayIn(timeZone, now),
  })
  return Object.fromEntries([...all, ...(line ? [['pricing.commissions', line]] : [])]) as Record<string, string>
}

/** When commissions are taken again without anybody's doing, and the page no longer says that they are not. */
export function commissionsBegin(fields: OwnFields) {
  const { commissions, timeZone } = withOwn(maker, factsIn(fields))
  return commissions.state === 'from' && commissions.from ? momentOf(commissions.from, '00:00', timeZone) : undefined
}

function photosOf(fields: OwnFields, images: Known['images']) {
  const photos: Record<string, Photo> = {}
  for (const [field, value] of Object.entries(fields) as [SiteField, string][]) {
    const [kind, name = '', part] = field.split('.')
    if (kind !== 'photos') continue
    const address = fields[`photos.${name as PhotoName}.image`] ?? ''
    const facts = images.get(storedHash(address) ?? '')
    // One whose file is not known here is not shown, and its point is not one of the photo that is.
    if (address && !facts) continue
    const [x, y] = value.split(' ')
    photos[name] = { ...photos[name], ...(part === 'point' ? { point: `${x}% ${y}%` } : { address, ...(facts && { facts }) }) }
  }
  return photos
}
