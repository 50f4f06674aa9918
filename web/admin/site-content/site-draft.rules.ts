import { defaultOf } from '#content/site-defaults.ts'
import { type Language, languages } from '#contract/languages.ts'
import type { SiteContent } from '#contract/site-content.ts'
import {
  type FieldChanges,
  type FieldRule,
  faultOf,
  fieldsOf,
  isWords,
  missingIn,
  type OwnFields,
  type PhotoName,
  partsOfField,
  type RuleName,
  type SectionName,
  type SiteField,
  siteFields,
  siteSections,
  type WordName,
  withChanges,
} from '#contract/site-fields.ts'
import { compare } from '../conflict/conflict.rules.ts'

/** Unsaved edits: null for the default. `was` is the saved value when editing began. */
export type Typed = Partial<Record<SiteField, { value: string | null; was: string | null }>>

const entriesOf = (typed: Typed) => Object.entries(typed) as [SiteField, NonNullable<Typed[SiteField]>][]

/** The value on the server: null for the default. */
function savedIn({ published, draft }: SiteContent, field: SiteField) {
  const change = draft?.changes[field]
  return change === undefined ? (published.fields[field] ?? null) : change
}

function ownNow({ published, draft }: SiteContent, typed: Typed): OwnFields {
  const changes = Object.fromEntries(entriesOf(typed).map(([field, { value }]) => [field, value])) as FieldChanges
  return withChanges(withChanges(published.fields, draft?.changes ?? {}), changes)
}

/** A field with its unsaved edit, its default, and whether it differs from the published value (`isOpen`). */
export function fieldNow(content: SiteContent, typed: Typed, field: SiteField) {
  const own = ownNow(content, typed)
  const preset = defaultOf(field, own)
  const value = own[field] ?? preset
  return {
    value,
    preset,
    isOwn: value !== preset,
    isOpen: (own[field] ?? null) !== (content.published.fields[field] ?? null),
    fault: missingIn(own) === field ? 'date' : own[field] === undefined ? undefined : faultOf(field, value),
  }
}

/** A required field that prevents publishing. */
export const missingNow = (content: SiteContent, typed: Typed) => missingIn(ownNow(content, typed))

/** The languages in which a text is still the original although the maker has written it in another one. */
export function originalIn(content: SiteContent, typed: Typed, name: WordName): Language[] {
  const isOwn = (language: Language) => fieldNow(content, typed, `${language}.${name}`).isOwn
  const original = languages.filter((language) => !isOwn(language))
  return original.length < languages.length ? original : []
}

/** The texts that are about to be published in one language and are the original in another. */
export function halfOriginal(content: SiteContent, typed: Typed): SiteField[] {
  const changed = openFields(content, typed).map((field) => partsOfField(field).rule)
  const texts = [...new Set(changed)].filter(isWords)
  return texts.flatMap((name) => originalIn(content, typed, name).map((language) => `${language}.${name}` as const))
}

/** Names, numbers and addresses: those that came with the site are invented. */
export function isIdentity(name: RuleName, { kind }: FieldRule) {
  return ['email', 'phone', 'link', 'country'].includes(kind) || names.has(name)
}
const names: ReadonlySet<RuleName> = new Set(['maker.brand', 'maker.name', 'contact.cityName', 'maker.city', 'maker.region'])

/** Typing the default text restores the default. */
export function withTyped(content: SiteContent, typed: Typed, field: SiteField, value: string | null): Typed {
  const isPreset = value === defaultOf(field, ownNow(content, typed))
  const was = typed[field] ? typed[field].was : savedIn(content, field)
  return { ...typed, [field]: { value: isPreset ? null : value, was } }
}

export function photoOf(field: SiteField) {
  return /^photos\.(\w+)\./.exec(field)?.[1] as PhotoName | undefined
}

/** Fields that are saved and resolved together: a photo and its focal point. */
function togetherWith(field: SiteField): SiteField[] {
  const photo = photoOf(field)
  return photo ? [`photos.${photo}.image`, `photos.${photo}.point`] : [field]
}

/** Fields that were saved with another value since they were edited in this tab. */
export function conflictsIn(content: SiteContent, typed: Typed) {
  const all = entriesOf(typed).flatMap(([field, { value, was }]) => {
    const saved = savedIn(content, field)
    if (!compare(was, value, saved, Object.is)?.contested) return []
    const author = content.draft && field in content.draft.changes ? content.draft.author : content.published.author
    return [{ field, mine: value, saved, author }]
  })
  const isPartOf = (other: SiteField, field: SiteField) => other !== field && togetherWith(field)[0] === other
  return all.filter(({ field }) => !all.some((other) => isPartOf(other.field, field)))
}
export type Conflict = ReturnType<typeof conflictsIn>[number]

export function looksSame(before: SiteContent, after: SiteContent, typed: Typed) {
  const seen = (content: SiteContent) => {
    const own = ownNow(content, typed)
    const conflicts = conflictsIn(content, typed).map((conflict) => [conflict.field, conflict.saved])
    return JSON.stringify([content.published.number, siteFields.map((field) => own[field] ?? null), conflicts])
  }
  return seen(before) === seen(after)
}

export function faultyIn(typed: Typed) {
  return entriesOf(typed).flatMap(([field, { value }]) => (value !== null && faultOf(field, value) ? [field] : []))
}

/** What can be saved: neither faulty nor in conflict. */
export function toSend(content: SiteContent, typed: Typed): FieldChanges {
  const left = new Set([...conflictsIn(content, typed).flatMap(({ field }) => togetherWith(field)), ...faultyIn(typed)])
  return Object.fromEntries(
    entriesOf(typed).flatMap(([field, { value }]) => (left.has(field) ? [] : [[field, value]])),
  ) as FieldChanges
}

/** The remaining edits after a save; a field edited during the save continues from the saved value. */
export function afterSave(typed: Typed, sent: FieldChanges, saved: SiteContent): Typed {
  return Object.fromEntries(
    entriesOf(typed).flatMap(([field, { value, was }]) => {
      if (sent[field] === undefined) return [[field, { value, was }]]
      return sent[field] === value ? [] : [[field, { value, was: savedIn(saved, field) }]]
    }),
  ) as Typed
}

/** Resolves a conflict with the value of this tab. */
export function withMine(content: SiteContent, typed: Typed, field: SiteField): Typed {
  const mine = togetherWith(field).flatMap((each) => {
    const kept = typed[each]
    return kept ? [[each, { ...kept, was: savedIn(content, each) }]] : []
  })
  return { ...typed, ...Object.fromEntries(mine) }
}

export function without(typed: Typed, field: SiteField): Typed {
  const dropped = new Set(togetherWith(field))
  return Object.fromEntries(entriesOf(typed).filter(([each]) => !dropped.has(each))) as Typed
}

/** The fields that differ from the published ones, saved or not, without faulty ones, which cannot be published. */
export function openFields(content: SiteContent, typed: Typed) {
  const faulty = new Set(faultyIn(typed))
  const own = ownNow(content, typed)
  const { fields } = content.published
  return siteFields.filter((field) => (own[field] ?? null) !== (fields[field] ?? null) && !faulty.has(field))
}

export const rulesIn = (section: SectionName) => Object.keys(siteSections[section]) as RuleName[]

const sectionOfField = new Map(
  (Object.keys(siteSections) as SectionName[]).flatMap((section) =>
    rulesIn(section).flatMap((name) => fieldsOf(name).map((field) => [field, section] as const)),
  ),
)

export const sectionOf = (field: SiteField): SectionName => sectionOfField.get(field) ?? 'brand'

export function groupsIn(section: SectionName): RuleName[][] {
  const groups = new Map<string, RuleName[]>()
  for (const name of rulesIn(section)) {
    const [group] = /(services\.items|process\.steps|figures)\.\w+|hidden/.exec(name) ?? [name]
    groups.set(group, [...(groups.get(group) ?? []), name])
  }
  return [...groups.values()]
}

/** The tab may have stored edits of fields that a newer release has removed. */
export function onlyExistingFields(kept: Record<string, unknown>): Typed {
  return Object.fromEntries(siteFields.flatMap((field) => (kept[field] ? [[field, kept[field]]] : []))) as Typed
}

/** The characters left, when few are; below 0 when there are too many. */
export function charactersLeft(value: string, most: number) {
  const left = most - value.length
  return left <= Math.max(5, Math.floor(most / 5)) ? left : undefined
}
