import { storedHash } from '#contract/first-visit.ts'
import { otherLanguages } from '#contract/languages.ts'
import { storedFields, translatedFields } from '#contract/project-fields.ts'
import type { Difference } from '#contract/restores.ts'
import type { OwnFields, SiteField } from '#contract/site-fields.ts'
import type { ProjectContent } from '../archive/records.queries.ts'

type Shown = Difference['current']

const photoFields: ReadonlySet<string> = new Set(['imageUrl', 'beforeImageUrl', 'afterImageUrl'])
const fields = (Object.keys(storedFields) as (keyof typeof storedFields)[]).filter(
  (field) => field !== 'photos' && field !== 'translations',
)

/** A photo of this site by its hash, any other by its address. */
const photoIn = (address: string) => storedHash(address) ?? address

/**
 * The values of a project as a person compares them. Without its rank, a number that means nothing to a person: a
 * project that only differs in that has no differences here.
 */
function valuesOf(project: ProjectContent): [field: string, value: Shown][] {
  return [
    ...fields.map((field): [string, Shown] => {
      const value = project[field]
      return [field, photoFields.has(field) && typeof value === 'string' ? photoIn(value) : value]
    }),
    ['photos', project.photos.map(({ imageUrl }) => photoIn(imageUrl))],
    ['captions', project.photos.map(({ caption }) => caption ?? '')],
    ...otherLanguages.flatMap((language): [string, Shown][] => [
      ...translatedFields.map((field): [string, Shown] => [
        `translations.${language}.${field}`,
        project.translations[language]?.[field] ?? null,
      ]),
      [`translations.${language}.captions`, project.photos.map(({ translations }) => translations[language]?.caption ?? '')],
    ]),
    ['createdAt', project.createdAt],
  ]
}

/** Field by field. */
export function differencesOf(before: ProjectContent, next: ProjectContent): Difference[] {
  const others = new Map(valuesOf(next))
  return valuesOf(before).flatMap(([field, value]) => differing(field, value, others.get(field) ?? null))
}

/** Null is what the site came with. */
export function siteDifferences(before: OwnFields, next: OwnFields): Difference[] {
  const all = Object.keys({ ...before, ...next }) as SiteField[]
  return all.flatMap((field) => differing(field, before[field] ?? null, next[field] ?? null))
}

function differing(field: string, before: Shown, next: Shown): Difference[] {
  return JSON.stringify(before) === JSON.stringify(next) ? [] : [{ field, current: before, incoming: next }]
}
