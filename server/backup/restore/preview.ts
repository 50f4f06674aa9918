import { storedHash } from '#contract/first-visit.ts'
import { type MergePreview, mostChangesShown, type ProjectChange } from '#contract/restores.ts'
import { moment } from '#contract/text.ts'
import type { Db } from '#server/database/tables.ts'
import { readPublished } from '#server/features/site-content/site-content.queries.ts'
import type { PhotoKind } from '../archive/archive.rules.ts'
import { openContactPhotos, type Photos } from '../archive/backup-photos.ts'
import type { ProjectContent } from '../archive/records.queries.ts'
import { listAvailable } from './available-photos.ts'
import type { MergeMode } from './merge.rules.ts'
import { decide, decideSite } from './merge-records.ts'
import { differencesOf, siteDifferences } from './preview.rules.ts'
import type { MergeParts } from './restore.ts'
import type { IncomingBackup } from './scaffold-incoming.ts'

/** What an import or a restore would do, by the same rules; reads everything of one moment, and writes nothing. */
export async function previewMerge(incoming: IncomingBackup, mode: MergeMode, parts: MergeParts): Promise<MergePreview> {
  const { database, clock, images } = parts
  const kinds: Photos = { images, inquiryPhotos: openContactPhotos({ ...parts, judge: images.judge }) }
  // Only their hashes count for a preview; the restore reads the rest from their bytes.
  const sent = incoming.photos.flatMap(({ kind, hash, bytes }) =>
    kind === 'inquiryPhotos' ? { hash, bytes, contentType: '', width: 0, height: 0 } : [],
  )
  const photos = await listAvailable(parts, incoming, sent)

  /** Does not find damaged photos: only the restore reads them. */
  async function countPhotos(tx: Db, kind: PhotoKind) {
    const inFile = incoming.photos.filter((photo) => photo.kind === kind)
    const withRow = new Set(inFile.length > 0 ? await kinds[kind].listKnown(tx) : [])
    const added = inFile.filter(({ hash, bytes }) => !withRow.has(hash) || photos.stored[kind].get(hash) !== bytes).length
    return { added, alreadyThere: inFile.length - added }
  }

  return database.snapshot(async (tx) => {
    const withRow = new Set(await images.listKnown(tx))
    const counts = { projects: noChanges(), contacts: noChanges() }
    const changes: ProjectChange[] = []
    const canShow = (hash: string) => withRow.has(hash) && photos.stored.images.has(hash)
    for await (const { projects, contacts } of decide(tx, incoming, { mode, now: clock.now().toISOString(), photos })) {
      count(counts.projects, projects)
      count(counts.contacts, contacts)
      for (const { number, before, next } of projects) {
        if (next && changes.length < mostChangesShown) changes.push({ number, ...changeOf(before, next, canShow) })
      }
    }
    const { fields } = await readPublished(tx)
    const site = incoming.site ? decideSite(mode, fields, incoming.site) : { fields, shown: [] }
    photos.lookForImages(site.shown)
    return {
      mode,
      // A file may hold any text there.
      createdAt: moment.safeParse(incoming.createdAt).data ?? null,
      ...counts,
      images: await countPhotos(tx, 'images'),
      inquiryPhotos: await countPhotos(tx, 'inquiryPhotos'),
      missingImages: photos.missing.size,
      changes,
      site: siteDifferences(fields, site.fields),
    }
  })
}

const noChanges = () => ({ added: 0, changed: 0, alreadyThere: 0 })

function count(counts: ReturnType<typeof noChanges>, decisions: readonly { before: unknown; next: unknown }[]) {
  for (const { before, next } of decisions) counts[!next ? 'alreadyThere' : before ? 'changed' : 'added'] += 1
}

function changeOf(before: ProjectContent | undefined, next: ProjectContent, canShow: (hash: string) => boolean) {
  const covers = [next, before].flatMap((project) => storedHash(project?.imageUrl ?? '') ?? [])
  const change = !before ? 'added' : before.deletedAt && !next.deletedAt ? 'out_of_trash' : 'changed'
  return {
    change,
    title: next.title,
    currentTitle: before?.title ?? null,
    photo: covers.find(canShow) ?? null,
    differences: before ? differencesOf(before, next) : [],
  } satisfies Omit<ProjectChange, 'number'>
}
