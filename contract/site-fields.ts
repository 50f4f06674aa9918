import { storedHash } from './first-visit.ts'
import { isLanguage, type Language, languages } from './languages.ts'
import type { ValueFault } from './problems.ts'
import { parseUrl } from './web-address.ts'

/** What is taken in a field. Text is text: nothing of it is ever read as HTML. */
export type FieldRule = {
  kind: 'line' | 'text' | 'email' | 'phone' | 'link' | 'date' | 'country' | 'choice' | 'photo' | 'point'
  /** In characters: what the design has room for. */
  most: number
  /** Whether it may be left empty, and what it says is left out of the page then. */
  optional?: boolean
  /** Whether it is written once for each language. */
  words?: boolean
  /** How many lines of the page it takes at most, where that is less than its length tells. */
  lines?: number
  choices?: readonly string[]
}

const words = (most: number, more: Partial<FieldRule> = {}) => ({ kind: 'line', most, words: true, ...more }) as const
const text = (most: number, more: Partial<FieldRule> = {}) => ({ kind: 'text', most, words: true, ...more }) as const
const fact = (most: number, more: Partial<FieldRule> = {}) => ({ kind: 'line', most, ...more }) as const
const link = { kind: 'link', most: 300, optional: true } as const
const photo = { kind: 'photo', most: 80 } as const
/** From the left and from the top, in hundredths: `50 30`. */
const point = { kind: 'point', most: 7 } as const

/** Where a date is to come from, commissions are taken from that day on. */
export const commissionStates = ['open', 'from', 'closed'] as const
/** The first is the site's own. */
export const accents = ['brass', 'verdigris', 'oxide', 'steel'] as const
export type Accent = (typeof accents)[number]

/** Whether the page leaves the newsletter out, or the filter a category while it has no models. */
const hidden = { kind: 'choice', most: 3, choices: ['yes'], optional: true } as const

const service = <Index extends number>(index: Index) =>
  ({
    [`services.items.${index}.name`]: words(28),
    [`services.items.${index}.scales`]: words(18),
    [`services.items.${index}.text`]: text(140),
  }) as Record<`services.items.${Index}.${'name' | 'scales' | 'text'}`, FieldRule>

/**
 * Everything of the page that the maker can change, section by section in the page's order. Names that begin with `maker` are
 * of content/maker.ts, those with `photos` of content/photos; all others are words of content/en/site.ts and content/es/site.ts.
 */
export const siteSections = {
  brand: {
    'maker.brand': fact(24),
    'maker.email': { kind: 'email', most: 80 },
    'maker.phones.0': { kind: 'phone', most: 24 },
    'maker.phones.1': { kind: 'phone', most: 24, optional: true },
    'maker.whatsapp': { kind: 'phone', most: 24, optional: true },
    'contact.cityName': words(60),
    'maker.links.instagram': link,
    'maker.links.facebook': link,
    'maker.links.youtube': link,
    'maker.links.pinterest': link,
    'maker.accent': { kind: 'choice', most: 12, choices: accents },
  },
  hero: {
    'hero.title': words(40, { lines: 2 }),
    'hero.subtitle': text(180),
    'hero.toGallery': words(20),
    'hero.toAbout': words(20),
    'photos.hero.image': photo,
    'photos.hero.point': point,
    'hero.photo': text(160),
    'maker.heroScale': fact(12, { optional: true }),
    'photos.heroTall.image': photo,
    'photos.heroTall.point': point,
  },
  featured: {
    'featured.label': words(24),
    'featured.title': words(44),
    'featured.empty': text(160),
    'featured.emptyAction': words(24),
  },
  services: {
    'services.label': words(24),
    'services.title': words(44),
    'services.intro': text(240),
    ...service(0),
    ...service(1),
    ...service(2),
    ...service(3),
    ...service(4),
    ...service(5),
  },
  process: {
    'process.label': words(24),
    'process.title': words(44),
    'process.steps.0.name': words(24),
    'process.steps.0.text': text(180),
    'process.steps.1.name': words(24),
    'process.steps.1.text': text(180),
    'process.steps.2.name': words(24),
    'process.steps.2.text': text(180),
    'process.steps.3.name': words(24),
    'process.steps.3.text': text(180),
  },
  pricing: {
    'maker.commissions.state': { kind: 'choice', most: 6, choices: commissionStates },
    'maker.commissions.from': { kind: 'date', most: 10, optional: true },
    'pricing.commissions': text(160, { optional: true }),
    'pricing.label': words(24),
    'pricing.title': words(52),
    'pricing.description': text(420),
    'pricing.action': words(28),
    'pricing.hoursLabel': words(48),
  },
  gallery: {
    'gallery.label': words(24),
    'gallery.title': words(44),
    'gallery.subtitle': text(240),
    'gallery.categories.locomotive': words(24),
    'gallery.categories.aircraft': words(24),
    'gallery.categories.ships': words(24),
    'gallery.categories.automotive': words(24),
    'gallery.categories.military': words(24),
    'gallery.categories.figures': words(24),
    'maker.hidden.locomotive': hidden,
    'maker.hidden.aircraft': hidden,
    'maker.hidden.ships': hidden,
    'maker.hidden.automotive': hidden,
    'maker.hidden.military': hidden,
    'maker.hidden.figures': hidden,
  },
  about: {
    'about.label': words(24),
    'about.title': words(44),
    'about.paragraphs.0': text(600),
    'about.paragraphs.1': text(600),
    'maker.name': fact(48, { optional: true }),
    'about.signature': words(60, { optional: true }),
    'photos.portrait.image': photo,
    'photos.portrait.point': point,
    'about.portrait': text(160, { optional: true }),
    'maker.figures.years': fact(6),
    'about.figures.years': words(32),
    'maker.figures.models': fact(6),
    'about.figures.models': words(32),
    'maker.figures.awards': fact(6),
    'about.figures.awards': words(32),
    'maker.figures.articles': fact(6),
    'about.figures.articles': words(32),
    'about.specialtiesTitle': words(28),
    'about.specialties.0': words(80),
    'about.specialties.1': words(80),
    'about.specialties.2': words(80),
    'about.specialties.3': words(80),
    'about.specialties.4': words(80),
    'photos.about1.image': photo,
    'photos.about1.point': point,
    'about.photos.0': text(160),
    'photos.about2.image': photo,
    'photos.about2.point': point,
    'about.photos.1': text(160),
    'photos.about3.image': photo,
    'photos.about3.point': point,
    'about.photos.2': text(160),
  },
  contact: {
    'contact.label': words(24),
    'contact.title': words(52),
    'contact.intro': text(240),
    'contact.form.title': words(40),
    'contact.form.messageHint': text(140),
    'contact.form.projectTypes.locomotive': words(32),
    'contact.form.projectTypes.aircraft': words(32),
    'contact.form.projectTypes.ship': words(32),
    'contact.form.projectTypes.automotive': words(32),
    'contact.form.projectTypes.militaryVehicles': words(32),
    'contact.form.projectTypes.custom': words(32),
    'contact.whatsapp.action': words(32),
    'contact.whatsapp.greeting': text(160),
  },
  footer: {
    'footer.tagline': text(140),
    'footer.commissionInfo': words(28),
    'maker.links.commissionInfo': link,
    'maker.hidden.newsletter': hidden,
    'footer.newsletterTitle': words(28),
    'footer.newsletterText': text(140),
    'footer.copyright': words(80),
  },
  search: {
    'page.title': words(70),
    'page.description': text(220),
    'page.profession': words(60),
    'maker.city': fact(60),
    'maker.region': fact(60),
    'maker.country': { kind: 'country', most: 2 },
  },
} as const satisfies Record<string, Record<string, FieldRule>>

export type SectionName = keyof typeof siteSections
export const sectionNames = Object.keys(siteSections) as SectionName[]

type NamesOf<Section> = Section extends unknown ? keyof Section : never
/** The name of a rule; of words it stands for a field in each language. */
export type RuleName = NamesOf<(typeof siteSections)[SectionName]> & string
export type MakerName = Extract<RuleName, `maker.${string}`>
type PhotoIn<Name> = Name extends `photos.${infer Photo}.image` ? Photo : never
export type PhotoName = PhotoIn<RuleName>
export type WordName = Exclude<RuleName, `maker.${string}` | `photos.${string}`>
/** One field: `maker.brand`, `photos.hero.image`, `en.hero.title`. */
export type SiteField = Exclude<RuleName, WordName> | `${Language}.${WordName}`

/** What differs from the words and pictures the site came with: everything else is as those are. */
export type OwnFields = Partial<Record<SiteField, string>>
/** Of some fields what they are to be; null for as the site came. */
export type FieldChanges = Partial<Record<SiteField, string | null>>

const rules: Record<string, FieldRule> = Object.assign({}, ...Object.values(siteSections))

/** Whether a rule stands for a field in each language. */
export const isWords = (name: RuleName): name is WordName => rules[name]?.words === true

/** The fields of a rule: one, or one for each language. */
export function fieldsOf(name: RuleName) {
  return (isWords(name) ? languages.map((language) => `${language}.${name}`) : [name]) as SiteField[]
}

export const siteFields = (Object.keys(rules) as RuleName[]).flatMap(fieldsOf)

/** The rule of a field, and the language if it is one of words. */
export function partsOfField(field: SiteField) {
  const [language, ...rest] = field.split('.')
  return isLanguage(language)
    ? { language, rule: rest.join('.') as WordName }
    : { language: undefined, rule: field as Exclude<RuleName, WordName> }
}

export const ruleOfField = (field: SiteField): FieldRule => rules[partsOfField(field).rule] ?? { kind: 'line', most: 0 }

/** As it is stored: a line of text has no ends of lines in it, and no blanks around it. */
export function tidied(value: string) {
  return value.replaceAll(/\s+/g, ' ').trim()
}

/** All of them so; one that goes back to what the site came with stays null. */
export function tidiedFields<Fields extends FieldChanges>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, value && tidied(value)])) as Fields
}

/** Never typed, or such that turn the text after them around; and a text of nothing that can be seen. */
const unseen = /[\p{Control}\p{Surrogate}\p{Bidi_Control}]|^[\p{Format}\p{Default_Ignorable_Code_Point}\u2800\s]+$/u

export type FieldFault = 'empty' | 'too_long' | 'unseen' | Exclude<FieldRule['kind'], 'line' | 'text'>

/** What is wrong with a tidied value, if anything. The panel says so while it is typed; the server takes no such value. */
export function faultOf(field: SiteField, value: string): FieldFault | undefined {
  const { kind, most, optional, choices } = ruleOfField(field)
  if (value === '') return optional ? undefined : 'empty'
  if (unseen.test(value)) return 'unseen'
  if (kind === 'choice') return choices?.includes(value) ? undefined : 'choice'
  if (kind === 'line' || kind === 'text') return value.length > most ? 'too_long' : undefined
  return value.length <= most && shapes[kind](value) ? undefined : kind
}

const shapes = {
  // Nothing that would say more than an address in a link to it.
  email: (value: string) => /^[^\s@<>,;:"()[\]\\?&%#/=]+@[\p{L}\p{N}.-]+\.[\p{L}\p{N}-]{2,}$/u.test(value),
  phone: (value: string) => /^\+?[\d ()./-]+$/.test(value) && value.replaceAll(/\D/g, '').length >= 5,
  link: isOwnLink,
  date: isDay,
  country: (value: string) => /^[A-Z]{2}$/.test(value),
  photo: (value: string) => storedHash(value) !== undefined,
  point: (value: string) => /^(\d|[1-9]\d|100) (\d|[1-9]\d|100)$/.test(value),
}

/** As 2027-03-01, from 2000 to 2100: time zones go wrong far from today. The 30th of February is read as one of March. */
function isDay(value: string) {
  const read = /^(20\d\d|2100)-\d\d-\d\d$/.test(value) ? new Date(value) : undefined
  return read !== undefined && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(value)
}

/** Only kinds that cannot run anything, and whole: `https:example.com` would lead to this site itself. */
function isOwnLink(value: string) {
  return /^(https:\/\/[^/\\]|mailto:.|tel:.)/i.test(value) && parseUrl(value) !== undefined
}

/** What is missing for the fields to make sense together: a day to begin on. */
export function missingIn(fields: OwnFields): SiteField | undefined {
  const needsDay = fields['maker.commissions.state'] === 'from' && !fields['maker.commissions.from']
  return needsDay ? 'maker.commissions.from' : undefined
}

/** The photos that fields show, by their hashes. */
export function photosIn(fields: Partial<Record<string, string | null>>) {
  return Object.entries(fields).flatMap(([field, value]) =>
    field.startsWith('photos.') && value ? (storedHash(value) ?? []) : [],
  )
}

/** What becomes of own fields when some of them change. */
export function withChanges(own: OwnFields, changes: FieldChanges): OwnFields {
  const all = Object.entries({ ...own, ...changes })
  return Object.fromEntries(all.filter(([, value]) => value !== null)) as OwnFields
}

const codes: Record<FieldFault, ValueFault['fault']> = {
  empty: 'missing',
  too_long: 'too_long',
  unseen: 'unseen_characters',
  email: 'not_an_email',
  phone: 'not_a_phone',
  link: 'not_a_link',
  date: 'not_a_day',
  country: 'wrong',
  choice: 'not_a_choice',
  photo: 'not_uploaded',
  point: 'wrong',
}

/** What is wrong with a tidied value of the site, as answers tell it. */
export function fieldFaultOf(field: SiteField, value: string): ValueFault | undefined {
  const fault = faultOf(field, value)
  const { most, choices } = ruleOfField(field)
  return (
    fault && {
      field,
      fault: codes[fault],
      ...(fault === 'too_long' && { limit: most }),
      ...(fault === 'choice' && choices && { names: [...choices] }),
    }
  )
}
