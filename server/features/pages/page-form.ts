import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { contactFields, mostContactPhotos } from '#contract/contact-fields.ts'
import { type ContactDraft, contactDraft } from '#contract/contacts.ts'
import { isLanguage, type Language } from '#contract/languages.ts'
import type { ValueFault } from '#contract/problems.ts'
import { type Issue, valueFaultOf } from '#contract/value-fault.ts'
import type { ArrivedPhoto } from '#server/features/contacts/visitor-photos.ts'
import { BrokenForm, isMultipart, type Part, readParts } from '#server/http/multipart.ts'
import { Problem } from '#server/http/problem.ts'
import type { SentForm } from '#web/page.ts'

/** The contact form as a browser sends it without JavaScript. */
export type PageForm = {
  fields: Partial<Record<Field, string>>
  photos: ArrivedPhoto[]
  /** How many photos were refused. */
  photosRefused: number
}

const fieldNames = [...contactFields, 'about', 'language'] as const
type Field = (typeof fieldNames)[number]
const isField = (name: string): name is Field => fieldNames.some((each) => each === name)

type Receive = (content: AsyncIterable<Buffer>) => Promise<ArrivedPhoto>

export const noForm: PageForm = { fields: {}, photos: [], photosRefused: 0 }

const megabyte = 1024 * 1024
/** Four photos and some that are too large. Of a larger form only the message is stored. */
export const maxTakenBytes = 64 * megabyte
const limits = { parts: 60, bytes: 256 * megabyte }
/** Longer than the longest message, so that a longer one is refused with a message and not cut. */
const maxFieldBytes = 64 * 1024

/** Without `receive` photos are skipped. */
export async function readForm(request: FastifyRequest, receive?: Receive) {
  const form: PageForm = { fields: {}, photos: [], photosRefused: 0 }
  if (!isMultipart(request)) {
    for (const [name, value] of Object.entries((request.body ?? {}) as Record<string, string>)) keep(form, name, value)
    return form
  }
  // Browsers always send the length.
  const bytes = Number(request.headers['content-length'] ?? 0)
  if (bytes > limits.bytes) throw new Problem('body_too_large')
  const take = receive && bytes > maxTakenBytes ? refuse : receive
  try {
    for await (const part of readParts(request, limits)) {
      if (part.filename === undefined) keep(form, part.name, await readText(part))
      else if (!(await readPhoto(form, part, request.log, take))) form.photosRefused += 1
    }
  } catch (error) {
    await dropPhotos(form)
    throw error instanceof BrokenForm ? new Problem(error.code, { cause: error }) : error
  }
  return form
}

export async function dropPhotos({ photos }: PageForm) {
  await Promise.all(photos.map(({ drop }) => drop()))
}

function keep({ fields }: PageForm, name: string, value: string) {
  // Browsers send line ends of forms as \r\n.
  if (isField(name)) fields[name] = value.replaceAll('\r\n', '\n')
}

async function readText({ content }: Part) {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of content) {
    if (bytes < maxFieldBytes) pieces.push(piece)
    bytes += piece.length
  }
  return Buffer.concat(pieces).toString('utf8', 0, maxFieldBytes)
}

/** False where it was refused; the rest of the form is still read. */
async function readPhoto(form: PageForm, part: Part, log: FastifyBaseLogger, receive: Receive | undefined) {
  try {
    // An empty file input is sent as a file without a name.
    if (part.name !== 'photos' || part.filename === '' || !receive) return true
    if (form.photos.length >= mostContactPhotos) return false
    form.photos.push(await receive(part.content))
    return true
  } catch (error) {
    if (error instanceof BrokenForm) throw error
    if (!(error instanceof Problem)) log.error({ err: error }, 'a photo of a visitor could not be read')
    return false
  }
}

async function refuse(): Promise<never> {
  throw new Problem('body_too_large')
}

/** The form as the body of the API call, or its faults. */
export function readDraft({ fields }: PageForm, chosen: Language): { draft: ContactDraft } | { faults: ValueFault[] } {
  const { name, email, projectType, message, website, about, language = chosen } = fields
  const read = contactDraft.safeParse({
    ...{ name, email, projectType, message },
    // Not visible in the form: a fault in these would make it impossible to send.
    website: website?.slice(0, 500),
    about: about && about.length <= 200 ? about : undefined,
    language: isLanguage(language) ? language : chosen,
  })
  if (read.success) return { draft: read.data }
  const firsts = new Map(read.error.issues.toReversed().map((issue) => [issue.path.join('.'), issue as Issue]))
  return { faults: [...firsts.values()].toReversed().map(valueFaultOf) }
}

/** The entries that the page shows again. */
export function entriesIn({ fields: { name, email, projectType, message } }: PageForm): SentForm['entries'] {
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(projectType !== undefined && { projectType }),
    ...(message !== undefined && { message }),
  }
}
