import { z } from 'zod/mini'
import { categories } from './first-visit.ts'
import { isImageAddress } from './images.ts'
import { optionalText, requiredText } from './text.ts'

const required = (missing: string, most: number) => ({ most, input: requiredText(missing, most), stored: z.string() })
const optional = (most: number) => ({ most, input: optionalText(most), stored: z.nullable(z.string()) })

const notAPhoto = {
  error: 'Use a photo uploaded here or an https:// address.',
  params: { fault: 'not_a_photo' },
}
const photo = required('Image is required', 2_000)
const requiredPhoto = { ...photo, input: photo.input.check(z.refine((text) => isImageAddress(text), notAPhoto)) }
const link = optional(2_000)
const optionalPhoto = {
  ...link,
  input: link.input.check(z.refine((text) => text === null || isImageAddress(text), notAPhoto)),
}

/** Beside the cover. */
export const mostPhotos = 24

const photoFields = { imageUrl: requiredPhoto, caption: optional(300), captionEs: optional(300) }

/** A photo beside the cover. */
export const storedPhoto = z.strictObject(each(photoFields, 'stored'))
export type StoredPhoto = z.infer<typeof storedPhoto>

const photoInputs = z
  .array(z.strictObject(each(photoFields, 'input'), 'A photo must be an object with its address.'), 'Photos must be a list.')
  .check(z.maxLength(mostPhotos, `A project has at most ${mostPhotos} photos beside its cover.`))

/** What is not said when a project is made, and stays as it is when one is changed. */
export const whenNotSaid = {
  featured: z.boolean('Featured must be yes or no.'),
  draft: z.boolean('Draft must be yes or no.'),
  photos: photoInputs,
}

/**
 * Every field the maker fills in, once: the most characters of a text, how it is checked on its way in (`input`) and what it
 * is on its way out (`stored`). Requests, replies, backups and the type of the table are made of it; whatever else needs a
 * line for each field does not compile without it. docs/decisions.md has the list.
 */
const fields = {
  title: required('Title is required', 200),
  description: required('Description is required', 10_000),
  category: { input: z.enum(categories, 'Category is required'), stored: z.enum(categories) },
  imageUrl: requiredPhoto,
  scale: optional(100),
  materials: optional(2_000),
  techniques: optional(2_000),
  timeSpent: optional(100),
  beforeImageUrl: optionalPhoto,
  afterImageUrl: optionalPhoto,
  featured: { input: z._default(whenNotSaid.featured, false), stored: z.boolean() },
  titleEs: optional(200),
  descriptionEs: optional(10_000),
  materialsEs: optional(2_000),
  techniquesEs: optional(2_000),
  /** In their order. */
  photos: { input: z._default(whenNotSaid.photos, []), stored: z.array(storedPhoto) },
  /** Seen by administrators only. */
  draft: { input: z._default(whenNotSaid.draft, false), stored: z.boolean() },
}
type Fields = typeof fields

/** Everything of a project but its id and its date. */
export const projectInput = z.strictObject(each(fields, 'input'))
export type ProjectInput = z.output<typeof projectInput>

/** The same fields as they are answered and exported. */
export const storedFields = each(fields, 'stored')

type TextField = { [Name in keyof Fields]: Fields[Name] extends { most: number } ? Name : never }[keyof Fields]

/** The most characters each text may have. */
export const projectLimits = limitsOf(fields) as Record<TextField, number>
export const photoLimits = limitsOf(photoFields) as Record<keyof typeof photoFields, number>

type FieldParts = Record<string, { input: z.core.$ZodType; stored: z.core.$ZodType; most?: number }>

function each<Some extends FieldParts, Part extends 'input' | 'stored'>(some: Some, part: Part) {
  const parts = Object.entries(some).map(([name, field]) => [name, field[part]])
  return Object.fromEntries(parts) as { [Name in keyof Some]: Some[Name][Part] }
}

function limitsOf(some: FieldParts) {
  return Object.fromEntries(Object.entries(some).flatMap(([name, { most }]) => (most ? [[name, most]] : [])))
}
