import { storedHash } from '#contract/first-visit.ts'
import { otherLanguages } from '#contract/languages.ts'
import { storedFields, textOf, translatedFields } from '#contract/project-fields.ts'
import { type Difference, type MergePreview, mostChangesShown, type ProjectChange } from '#contract/restores.ts'
import { photosIn } from '#contract/site-fields.ts'
import { moment } from '#contract/text.ts'
import { readPublished } from '#server/features/site-content/site-content.queries.ts'
import { listKnown, ofKind } from '../archive/backup-photos.ts'
import type { IncomingBackup } from '../archive/read-backup.ts'
import type { ProjectContent } from '../archive/records.queries.ts'
import type { PhotoKind, PlacedPhoto } from '../archive/zip-archive.ts'
import type { JobParts } from '../make-backup.ts'
import { type MergeMode, mergeSite } from './merge.rules.ts'
import { count, decide, listAvailable, noChanges } from './restore.ts'

/** What an import or a restore would do, by the same rules; reads everything of one moment, and writes nothing. */
export async function previewMerge(incoming: IncomingBackup, mode: MergeMode, parts: JobParts): Promise<MergePreview> {
  // Only their hashes count for a preview; the restore reads the rest from their bytes.
  const facts = { contentType: '', width: 0, height: 0 }
  const sent = ofKind('inquiryPhotos', incoming.photos).map((photo) => ({ ...photo, ...facts }))
  const photos = await listAvailable(parts, incoming, sent)

  return parts.database.snapshot(async (tx) => {
    const known = await listKnown(tx)
    /** Does not find damaged photos: only the restore reads them. */
    const countPhotos = (kind: PhotoKind) => {
      const inFile = ofKind(kind, incoming.photos)
      const isThere = ({ hash, bytes }: PlacedPhoto) => known[kind].has(hash) && photos.stored[kind].get(hash) === bytes
      const alreadyThere = inFile.filter(isThere).length
      return { added: inFile.length - alreadyThere, alreadyThere }
    }
    const counts = { projects: noChanges(), contacts: noChanges() }
    const changes: ProjectChange[] = []
    const now = parts.clock.now().toISOString()
    for await (const { projects, contacts } of decide(tx, incoming, { mode, now, photos, locked: false })) {
      count(counts.projects, projects)
      count(counts.contacts, contacts)
      for (const { number, before, next } of projects) {
        if (!next || changes.length === mostChangesShown) continue
        changes.push({
          number,
          change: !before ? 'added' : before.deletedAt && !next.deletedAt ? 'out_of_trash' : 'changed',
          title: textOf(next, 'title') ?? '',
          currentTitle: before ? textOf(before, 'title') : null,
          differences: before ? differences(valuesOf(before), valuesOf(next)) : [],
        })
      }
    }
    const { fields } = await readPublished(tx)
    const site = incoming.site ? mergeSite(mode, fields, incoming.site).fields : fields
    if (incoming.site) photos.lookForImages(photosIn(site))
    return {
      mode,
      // A file may hold any text there.
      createdAt: moment.safeParse(incoming.createdAt).data ?? null,
      ...counts,
      images: countPhotos('images'),
      inquiryPhotos: countPhotos('inquiryPhotos'),
      missingImages: photos.missing.size,
      changes,
      site: differences(fields, site),
    }
  })
}

type Values = Record<string, Difference['current'] | undefined>

/** Field by field. Of the site, null is what it came with. */
function differences(before: Values, next: Values): Difference[] {
  return Object.keys({ ...before, ...next }).flatMap((field) => {
    const [current, incoming] = [before[field] ?? null, next[field] ?? null]
    return JSON.stringify(current) === JSON.stringify(incoming) ? [] : { field, current, incoming }
  })
}

/** As a person compares them. Without its rank: a project that only differs in that number has no differences here. */
function valuesOf(project: ProjectContent): Values {
  const values: Values = {}
  for (const field of Object.keys(storedFields) as (keyof typeof storedFields)[]) {
    if (field === 'translations') continue
    const value = field === 'photos' ? project.photos.map(({ imageUrl }) => shown(imageUrl)) : project[field]
    values[field] = typeof value === 'string' ? shown(value) : value
  }
  values.captions = project.photos.map(({ caption }) => caption ?? '')
  for (const language of otherLanguages) {
    for (const field of translatedFields) values[`translations.${language}.${field}`] = project.translations[language]?.[field]
    values[`translations.${language}.captions`] = project.photos.map(
      ({ translations }) => translations[language]?.caption ?? '',
    )
  }
  return { ...values, createdAt: project.createdAt }
}

/** A photo of this site by its hash. */
function shown(value: string) {
  return storedHash(value) ?? value
}
