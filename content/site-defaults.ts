import type { Language } from '#contract/languages.ts'
import type { MakerName, OwnFields, SiteField, WordName } from '#contract/site-fields.ts'
import { en, type Texts } from './en/site.ts'
import { es } from './es/site.ts'
import { type Maker, maker } from './maker.ts'

const texts: Record<Language, Texts> = { en, es }

/** The path of every text in it. */
type Paths<T> = T extends string
  ? ''
  : T extends readonly (infer Item)[]
    ? `.${number}${Paths<Item>}`
    : { [Key in keyof T & string]: T[Key] extends string | object ? `.${Key}${Paths<T[Key]>}` : never }[keyof T & string]

/** Names of rules for words that are not there, or for facts nobody knows: with one of them nothing here compiles. */
type Unknown = Exclude<`.${WordName}`, Paths<Texts>> | Exclude<MakerName, `maker${Paths<Maker>}`>
type Field = [Unknown] extends [never] ? SiteField : Unknown

/**
 * What a field is while the maker has not changed it: what the site came with, with the maker's own name in it. A photo it came
 * with has no address: the field is empty.
 */
export function defaultOf(field: Field, own: OwnFields = {}) {
  if (field.startsWith('maker.')) return textAt(maker, field.slice('maker.'.length))
  if (field.startsWith('photos.')) return ''
  const words = textAt(texts[field.slice(0, 2) as Language], field.slice(3))
  return words.replaceAll(maker.brand, () => own['maker.brand'] ?? maker.brand)
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
