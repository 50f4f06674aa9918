import { storedHash } from '#contract/first-visit.ts'
import { type MergePreview, mostChangesShown, type ProjectChange } from '#contract/restores.ts'
import { moment } from '#contract/text.ts'
import type { Db } from '#server/database/tables.ts'
import { readPublished } from '#server/features/site-content/site-content.queries.ts'
import { type OpenFile, piecesOf } from '#server/storage/storage.ts'
import type { PhotoKind } from '../archive/archive.rules.ts'
import { openArchive, type PlacedPhoto } from '../archive/open-archive.ts'
import { checkExport } from '../archive/read-export.ts'
import { withLocalFile } from '../disk-space.ts'
import type { MergeMode } from './merge.rules.ts'
import { type Decision, decide, decideSite, remember, rememberPhotos } from './merge-records.ts'
import { differencesOf, siteDifferences } from './preview.rules.ts'
import { factsOf, type MergeParts } from './restore.ts'

type Source = { file: OpenFile; isArchive: boolean }

/** What is in the file: checked to its end, but for the photos. */
async function readSource({ file, isArchive }: Source, plan: Parameters<typeof openArchive>[1]) {
  if (isArchive) return openArchive(file, plan)
  await plan?.reserve(file.bytes)
  return { records: await checkExport(() => piecesOf(file), { plan }), photos: [] as PlacedPhoto[] }
}

/** What an import or a restore would do, by the same rules; reads everything of one moment, and writes nothing. */
export function previewMerge(
  source: Source,
  mode: MergeMode,
  { database, storage, clock, images, photos }: Omit<MergeParts, 'keepRestorePoint'>,
) {
  return withLocalFile(storage, async (plan) => {
    const { records, photos: inArchive } = await readSource(source, plan)
    const quarantined = await images.listAside()
    const stored = { images: await images.listStored(), inquiryPhotos: await photos.inquiryPhotos.listStored() }
    const inFile = (kind: PhotoKind) => inArchive.filter((photo) => photo.kind === kind)
    const imagesInFile = new Set(inFile('images').map(({ hash }) => hash))
    // Only their hashes count for a preview; the restore reads the rest from their bytes.
    const sent = inFile('inquiryPhotos').map(({ hash, bytes }) => ({ hash, bytes, contentType: '', width: 0, height: 0 }))
    const photoFacts = await factsOf(sent, stored.inquiryPhotos, plan, photos.inquiryPhotos)

    const preview = await database.snapshot(async (tx) => {
      const withRow = new Set(await images.listKnown(tx))
      const counts = { projects: noChanges(), contacts: noChanges() }
      const named = { shown: new Set<string>(), sent: new Set<string>() }
      const missing = new Set<string>()
      const changes: ProjectChange[] = []
      const isShown = (hash: string) => withRow.has(hash) && stored.images.has(hash)
      const now = clock.now().toISOString()
      const options = { plan, mode, now, stored: stored.inquiryPhotos, facts: photoFacts }
      for await (const { projects, contacts, facts } of decide(tx, records, options)) {
        count(counts.projects, projects)
        count(counts.contacts, contacts)
        const shown = projects.flatMap((decision) => changeIn(decision, isShown) ?? [])
        changes.push(...shown.slice(0, mostChangesShown - changes.length))
        rememberPhotos(named, projects, contacts)
        for (const { incoming } of contacts) for (const hash of incoming.photos) if (!facts.has(hash)) missing.add(hash)
      }
      const { fields } = await readPublished(tx)
      const site = records.site ? decideSite(mode, fields, records.site) : { fields, shown: [] }
      remember(named.shown, site.shown)
      const isAvailable = (hash: string) => imagesInFile.has(hash) || stored.images.has(hash) || quarantined.has(hash)
      return {
        ...counts,
        images: await countNew(tx, inFile('images'), { ...images, stored: stored.images }),
        inquiryPhotos: await countNew(tx, inFile('inquiryPhotos'), { ...photos.inquiryPhotos, stored: stored.inquiryPhotos }),
        missingImages: [...named.shown].filter((hash) => !isAvailable(hash)).length + missing.size,
        changes,
        site: siteDifferences(fields, site.fields),
      }
    })
    // A file may hold any text there.
    const createdAt = moment.safeParse(records.createdAt).data ?? null
    const result: MergePreview = { mode, createdAt, ...preview }
    return { preview: result, photos: inArchive }
  })
}

const noChanges = () => ({ added: 0, changed: 0, alreadyThere: 0 })

function count(counts: ReturnType<typeof noChanges>, decisions: readonly { add: unknown; bringBack: unknown }[]) {
  for (const { add, bringBack } of decisions) counts[add ? 'added' : bringBack ? 'changed' : 'alreadyThere'] += 1
}

function changeIn(
  { number, before, add, bringBack }: Decision<'projects'>,
  isStored: (hash: string) => boolean,
): ProjectChange | undefined {
  const next = add ?? bringBack
  if (!next) return undefined
  const photoOf = ({ imageUrl }: { imageUrl: string }) => {
    const hash = storedHash(imageUrl) ?? null
    return { hash, isStored: hash !== null && isStored(hash) }
  }
  return {
    number,
    change: !before ? 'added' : before.deletedAt && !next.deletedAt ? 'out_of_trash' : 'changed',
    title: next.title,
    currentTitle: before?.title ?? null,
    currentPhoto: before ? photoOf(before) : null,
    incomingPhoto: photoOf(next),
    differences: before ? differencesOf(before, next) : [],
  }
}

type OwnPhotos = { stored: ReadonlyMap<string, number>; listKnown(db: Db): Promise<string[]> }

/** Does not find damaged photos: only the restore reads them. */
async function countNew(tx: Db, placed: readonly PlacedPhoto[], { stored, listKnown }: OwnPhotos) {
  const withRow = new Set(placed.length > 0 ? await listKnown(tx) : [])
  const added = placed.filter(({ hash, bytes }) => !withRow.has(hash) || stored.get(hash) !== bytes).length
  return { added, alreadyThere: placed.length - added }
}
