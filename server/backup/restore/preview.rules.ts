import { storedHash } from '#contract/first-visit.ts'
import { otherLanguages } from '#contract/languages.ts'
import { storedFields, translatedFields } from '#contract/project-fields.ts'
import type { Difference } from '#contract/restores.ts'
import type { ProjectContent } from '../archive/records.queries.ts'

type Shown = Difference['current']
type Values = Partial<Record<string, Shown>>

const fields = (Object.keys(storedFields) as (keyof typeof storedFields)[]).filter(
  (field) => field !== 'photos' && field !== 'translations',
)

/** A photo of this site by its hash. */
const photoIn = (value: string) => storedHash(value) ?? value

/** As a person compares them. Without its rank: a project that only differs in that number has no differences here. */
function valuesOf({ photos, ...project }: ProjectContent): Values {
  const translated = otherLanguages.flatMap((language): [string, Shown][] =>
    [
      ...translatedFields.map((field): [string, Shown] => [field, project.translations[language]?.[field] ?? null]),
      ['captions', photos.map(({ translations }) => translations[language]?.caption ?? '')],
    ].map(([field, value]) => [`translations.${language}.${field}`, value]),
  )
  return {
    ...Object.fromEntries(
      fields.map((field) => [field, typeof project[field] === 'string' ? photoIn(project[field]) : project[field]]),
    ),
    photos: photos.map(({ imageUrl }) => photoIn(imageUrl)),
    captions: photos.map(({ caption }) => caption ?? ''),
    ...Object.fromEntries(translated),
    createdAt: project.createdAt,
  }
}

export function projectDifferences(before: ProjectContent, next: ProjectContent) {
  return differences(valuesOf(before), valuesOf(next))
}

/** Field by field. Of the site, null is what it came with. */
export function differences(before: Values, next: Values): Difference[] {
  return Object.keys({ ...before, ...next }).flatMap((field) => {
    const [current, incoming] = [before[field] ?? null, next[field] ?? null]
    return JSON.stringify(current) === JSON.stringify(incoming) ? [] : { field, current, incoming }
  })
}
