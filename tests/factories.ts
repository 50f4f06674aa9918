import { randomUUID } from 'node:crypto'
import type { z } from 'zod/mini'
import type { contactDraft } from '#contract/contacts.ts'
import {
  type ProjectInput,
  projectInput,
  type StoredPhoto,
  type TranslatedField,
  type Translations,
  translatedFields,
  translatedPhotoFields,
  wholeTranslations,
} from '#contract/project-fields.ts'
import type { Project as ShownProject } from '#contract/projects.ts'
import type { OwnFields } from '#contract/site-fields.ts'
import type { Db, NewContactMessage } from '#server/database/tables.ts'
import { insertContacts } from '#server/features/contacts/contacts.queries.ts'
import { slugsOf } from '#server/features/projects/project-addresses.ts'
import { insertProjects, type NewProject } from '#server/features/projects/project-records.ts'
import { addVersion, readPublished } from '#server/features/site-content/site-content.queries.ts'

type Project = z.input<typeof projectInput> & { title: string }
type Contact = z.input<typeof contactDraft>

/** What the maker types for a project; only the required part unless the test says more. */
export function aProject(details: Partial<Project> = {}): Project {
  return {
    title: 'Harbour tug',
    description: 'A steam tug with her fenders out.',
    category: 'ships',
    imageUrl: 'https://example.com/tug.jpg',
    ...details,
  }
}

/** One with every field filled in: whatever loses a field of it is noticed. */
export const aWholeProject: { [Field in keyof ProjectInput]: NonNullable<ProjectInput[Field]> } = {
  title: 'Tugboat “Ñandú” 🚢',
  description: 'A steam tug with her fenders out.',
  category: 'ships',
  imageUrl: 'https://example.com/tug.jpg',
  scale: '1:50',
  materials: 'Pear wood, brass',
  techniques: 'Planking, soldering',
  timeSpent: '340',
  beforeImageUrl: 'https://example.com/before.jpg',
  afterImageUrl: 'https://example.com/after.jpg',
  featured: true,
  translations: {
    es: {
      title: 'Remolcador',
      description: 'Un remolcador de vapor con sus defensas.',
      materials: 'Peral, latón',
      techniques: 'Forrado, soldadura',
    } satisfies Record<TranslatedField, string>,
  },
  photos: [
    {
      imageUrl: 'https://example.com/stern.jpg',
      caption: 'The stern',
      translations: { es: { caption: 'La popa' } },
    },
    { imageUrl: 'https://example.com/bow.jpg', caption: null, translations: { es: { caption: null } } },
  ],
  draft: false,
}

export function storeProject(db: Db, project: NewProject) {
  return insertProjects(db, [project])
}

export function storeContact(db: Db, contact: NewContactMessage) {
  return insertContacts(db, [contact])
}

/** What the maker has made of the site, as if it was published in the panel. */
export async function storeVersion(db: Db, fields: OwnFields) {
  const number = (await readPublished(db)).number + 1
  await addVersion(db, { number, fields, author: 'maker', createdAt: '2026-05-01T12:00:00.000Z' })
}

export async function removeProject(db: Db, id: string) {
  await db.deleteFrom('projects').where('id', '=', id).execute()
}

/** A project as it is stored. */
export function aStoredProject(details: Partial<Project> & { id?: string; createdAt?: string } = {}): StoredProject {
  const { id = randomUUID(), createdAt = '2026-05-01T12:00:00.000Z', ...rest } = details
  const { translations, photos, ...project } = projectInput.parse(aProject(rest))
  return {
    ...project,
    id,
    createdAt,
    translations: wholeTranslations(translatedFields, translations),
    photos: photos.map((photo) => ({ ...photo, translations: wholeTranslations(translatedPhotoFields, photo.translations) })),
  }
}

type StoredProject = Omit<ProjectInput, 'translations' | 'photos'> & {
  id: string
  createdAt: string
  translations: Translations<TranslatedField>
  photos: StoredPhoto[]
}

/** What a backup tells of such a project, that nobody has moved, renamed or deleted. */
export function asBackedUp(project: ReturnType<typeof aStoredProject>, slug = slugsOf(project.title, project.id)[0] ?? '') {
  return { ...project, rank: Date.parse(project.createdAt), deletedAt: null, addresses: [slug] }
}

/** A project as it is answered. */
export function aShownProject(details: Parameters<typeof aStoredProject>[0] = {}): ShownProject {
  const { photos, ...project } = aStoredProject(details)
  const facts = { image: null, beforeImage: null, afterImage: null }
  const place = { slug: project.id, rank: Date.parse(project.createdAt), version: 1 }
  return { ...project, ...place, ...facts, photos: photos.map((photo) => ({ ...photo, image: null })) }
}

export function aContact<Details extends Partial<Contact> = Record<never, never>>(details?: Details) {
  return {
    name: 'Inés Robles',
    email: 'ines@example.com',
    projectType: 'ship' as const,
    message: 'Could you build the tug my grandfather sailed on?',
    ...(details as Details),
  } satisfies Contact
}
