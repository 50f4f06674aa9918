import { defaultLanguage, type Language } from '#contract/languages.ts'
import {
  fieldsOf,
  type MakerName,
  type OwnFields,
  type PhotoName,
  partsOfField,
  type RuleName,
  type SiteField,
  type WordName,
} from '#contract/site-fields.ts'
import type { SectionTexts } from './en/sections.ts'
import type { Texts } from './en/site.ts'
import { inEveryLanguage } from './every-language.ts'
import { isInvented, type Maker, maker } from './maker.ts'

type Words = Texts & SectionTexts

let texts: Record<Language, Words> | undefined

/** To be awaited before the first call of what follows. */
export async function loadSiteDefaults() {
  texts ??= await inEveryLanguage<Words>(async (language) => ({
    ...(await import(`./${language}/site.ts`)).site,
    ...(await import(`./${language}/sections.ts`)).sections,
  }))
}

/** The path of every text in it. */
type Paths<T> = T extends string
  ? ''
  : T extends readonly (infer Item)[]
    ? `.${number}${Paths<Item>}`
    : { [Key in keyof T & string]: T[Key] extends string | object ? `.${Key}${Paths<T[Key]>}` : never }[keyof T & string]

/** Rules for texts or facts that do not exist: one of them is a compile error. */
type Unknown = Exclude<`.${WordName}`, Paths<Words>> | Exclude<MakerName, `maker${Paths<Maker>}`>
type Field = [Unknown] extends [never] ? SiteField : Unknown

/**
 * What a field is while the maker has not changed it: what the site came with, with the maker's own name in it. A photo it came
 * with has no address: the field is empty. WhatsApp is the maker's first phone; nothing that came with the site describes a photo
 * of the maker's or signs a story of the maker's, and no number that came with it stands beside one of the maker's.
 */
export function defaultOf(field: Field, own: OwnFields = {}) {
  if (field.startsWith('photos.')) return ''
  const { language = defaultLanguage, rule } = partsOfField(field as SiteField)
  const phone = isInvented(maker.email) ? own['maker.phones.0'] : undefined
  if (phone !== undefined && field === 'maker.whatsapp') return phone
  if (phone !== undefined && field === 'maker.phones.1') return ''
  if (signedBy[rule]?.some((each) => own[each] !== undefined)) return ''
  if (describedBy[rule]?.some((photo) => own[`photos.${photo}.image`])) return ''
  if (field.startsWith('maker.')) return textAt(maker, field.slice('maker.'.length))
  if (!texts) throw new Error('The texts of the site must be loaded before their defaults are read')
  return textAt(texts[language], rule).replaceAll(maker.brand, () => own['maker.brand'] ?? maker.brand)
}

const story = (['maker.brand', 'maker.email', 'about.paragraphs.0', 'about.paragraphs.1'] as const).flatMap(fieldsOf)
/** The fields of whoever tells the story: the name that came with the site is of nobody else. */
const signedBy: Partial<Record<RuleName, readonly SiteField[]>> = isInvented(maker.email)
  ? { 'maker.name': story, 'about.signature': [...story, 'maker.name'] }
  : {}

/** The photos that a text describes. */
const describedBy: Partial<Record<RuleName, readonly PhotoName[]>> = {
  'hero.photo': ['hero', 'heroTall'],
  'maker.heroScale': ['hero', 'heroTall'],
  'about.photos.0': ['about1'],
  'about.photos.1': ['about2'],
  'about.photos.2': ['about3'],
}

/** Only those that say something else than the site came with. */
export function differing(fields: OwnFields): OwnFields {
  const entries = Object.entries(fields) as [SiteField, string][]
  return Object.fromEntries(entries.filter(([field, value]) => value !== defaultOf(field, fields)))
}

function textAt(all: object, path: string) {
  const found = path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], all)
  return found as string
}
