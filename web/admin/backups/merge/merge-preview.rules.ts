import { jpegOf, storedHash } from '#contract/first-visit.ts'
import { storedAddress } from '#contract/images.ts'
import { type MergePreview, type MergeSource, type ProjectChange, showFilePhoto } from '#contract/restores.ts'
import { addressOf } from '../../../api/call.ts'

type Name = 'projects' | 'contacts' | 'images' | 'inquiryPhotos' | 'site'
type Row = { name: Name; added: number; changed: number; alreadyThere: number }

/** How many of each kind, without the kinds of which the file has none. */
export function countsOf({ projects, contacts, images, inquiryPhotos, site }: MergePreview): Row[] {
  const rows: Row[] = [
    { name: 'projects', ...projects },
    { name: 'contacts', ...contacts },
    { name: 'images', ...images, changed: 0 },
    { name: 'inquiryPhotos', ...inquiryPhotos, changed: 0 },
    { name: 'site', added: 0, changed: site.length, alreadyThere: 0 },
  ]
  return rows.filter(({ added, changed, alreadyThere }) => added + changed + alreadyThere > 0)
}

export function changesNothing(preview: MergePreview) {
  return countsOf(preview).every(({ added, changed }) => added + changed === 0)
}

/** How many models would be added or changed that are not listed one by one. */
export function notListed({ projects, changes }: Pick<MergePreview, 'projects' | 'changes'>) {
  return Math.max(0, projects.added + projects.changed - changes.length)
}

/** Whether the two covers are different ones that can be shown. */
export function hasOtherCover({ currentPhoto, incomingPhoto }: ProjectChange) {
  return Boolean(currentPhoto?.hash && incomingPhoto.hash) && currentPhoto?.hash !== incomingPhoto.hash
}

/** The fields to list: not the cover where both are shown. */
export function fieldsListed(change: ProjectChange) {
  return change.differences.filter(({ field }) => field !== 'imageUrl' || !hasOtherCover(change))
}

/** By its name, as the server tells it from an export. */
export const isArchive = (filename: string) => /\.zip(\.age)?$/i.test(filename)

/** A file in the preview. Only an archive has photos in it. */
export type PreviewedFile = { source: MergeSource; isArchive: boolean }

/** Where a cover is read, small: on the site, or out of the file. */
export function coverAddresses({ hash, isStored }: ProjectChange['incomingPhoto'], previewed: PreviewedFile) {
  if (!hash) return []
  return isStored ? [jpegOf(storedAddress(hash), 480)] : filePhoto(hash, previewed)
}

/** Where a photo of a field may be read, the likelier place first. Those of this site are named by their hash. */
export function photoAddresses(value: string, previewed?: PreviewedFile) {
  const hash = storedHash(value) ?? (/^[0-9a-f]{64}$/.test(value) ? value : undefined)
  if (!hash) return [value]
  const stored = jpegOf(storedAddress(hash), 480)
  return previewed ? [...filePhoto(hash, previewed), stored] : [stored]
}

function filePhoto(hash: string, { source, isArchive }: PreviewedFile) {
  return isArchive ? [addressOf(showFilePhoto, { query: { ...source, hash } })] : []
}

/** The models that are left out, with one more or one less. */
export function toggled(without: ReadonlySet<number>, number: number): ReadonlySet<number> {
  const next = new Set(without)
  if (!next.delete(number)) next.add(number)
  return next
}
