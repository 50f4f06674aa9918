import type { MergePreview, RestoredReport } from '#contract/restores.ts'

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

export function changedNothing({ imported, site }: Pick<RestoredReport, 'imported' | 'site'>) {
  return Object.values({ ...imported, ...site }).every((count) => count === 0)
}
