import { z } from 'zod/mini'
import { categories } from './gallery.ts'
import { isImageAddress } from './image-addresses.ts'
import { optionalText, requiredText } from './text.ts'

const required = (missing: string, most: number) => ({ most, input: requiredText(missing, most), stored: z.string() })
const optional = (most: number) => ({ most, input: optionalText(most), stored: z.nullable(z.string()) })

const notAPhoto = {
  error: 'A photo must be one uploaded here or an https:// address.',
  params: { fault: 'not_a_photo' },
}
const photo = required('Image is required', 2_000)
const requiredPhoto = { ...photo, input: photo.input.check(z.refine((text) => isImageAddress(text), notAPhoto)) }
const link = optional(2_000)
const optionalPhoto = {
  ...link,
  input: link.input.check(z.refine((text) => text === null || isImageAddress(text), notAPhoto)),
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
  featured: { input: z._default(z.boolean('Featured must be yes or no.'), false), stored: z.boolean() },
  titleEs: optional(200),
  descriptionEs: optional(10_000),
  materialsEs: optional(2_000),
  techniquesEs: optional(2_000),
}
type Fields = typeof fields

/** Everything of a project but its id and its date. */
export const projectInput = z.strictObject(each('input'))
export type ProjectInput = z.output<typeof projectInput>

/** The same fields as they are answered and exported. */
export const storedFields = each('stored')

type TextField = { [Name in keyof Fields]: Fields[Name] extends { most: number } ? Name : never }[keyof Fields]

/** The most characters each text may have. */
export const projectLimits = Object.fromEntries(
  Object.entries(fields).flatMap(([name, field]) => ('most' in field ? [[name, field.most]] : [])),
) as Record<TextField, number>

function each<Part extends 'input' | 'stored'>(part: Part) {
  const parts = Object.entries(fields).map(([name, field]) => [name, field[part]])
  return Object.fromEntries(parts) as { [Name in keyof Fields]: Fields[Name][Part] }
}
