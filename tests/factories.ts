import { randomUUID } from 'node:crypto'
import type { z } from 'zod/mini'
import type { contactDraft } from '#contract/contacts.ts'
import { type ProjectInput, projectInput } from '#contract/project-fields.ts'

type Project = z.input<typeof projectInput>
type Inquiry = z.input<typeof contactDraft>

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
  titleEs: 'Remolcador',
  descriptionEs: 'Un remolcador de vapor con sus defensas.',
  materialsEs: 'Peral, latón',
  techniquesEs: 'Forrado, soldadura',
}

/** A project as a row for the database. */
export function aStoredProject(
  details: Partial<Project> & { id?: string; createdAt?: string } = {},
): ProjectInput & { id: string; createdAt: string } {
  const { id = randomUUID(), createdAt = '2026-05-01T12:00:00.000Z', ...rest } = details
  return { ...projectInput.parse(aProject(rest)), id, createdAt }
}

export function anInquiry(details: Partial<Inquiry> = {}): Inquiry {
  return {
    name: 'Inés Robles',
    email: 'ines@example.com',
    projectType: 'ship',
    message: 'Could you build the tug my grandfather sailed on?',
    ...details,
  }
}
