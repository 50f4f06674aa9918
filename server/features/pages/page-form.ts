import type { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { contactFields, mostContactPhotos } from '#contract/contacts.fields.ts'
import { type ContactDraft, contactDraft } from '#contract/contacts.ts'
import { maxImageBytes } from '#contract/images.ts'
import { isLanguage, type Language } from '#contract/languages.ts'
import type { ValueFault } from '#contract/problems.ts'
import { type Issue, valueFaultOf } from '#contract/value-fault.ts'
import { Problem } from '#server/http/problem.ts'
import type { SentForm } from '#web/page.ts'

/** A photo whose bytes have arrived: it is to be kept or dropped. */
export type ArrivedPhoto = { keep(): Promise<string>; drop(): Promise<void> }

/** The contact form as a browser sends it by itself. */
export type PageForm = {
  fields: Partial<Record<Field, string>>
  photos: ArrivedPhoto[]
  /** How many photos came with it and were not taken. */
  photosRefused: number
}

const fieldNames = [...contactFields, 'about', 'language'] as const
type Field = (typeof fieldNames)[number]
const isField = (name: string): name is Field => fieldNames.some((each) => each === name)

type Receive = (content: Readable) => Promise<ArrivedPhoto>

export const noForm: PageForm = { fields: {}, photos: [], photosRefused: 0 }

const megabyte = 1024 * 1024
/** Four photos and some that are too large. Of a larger form the message is taken, and its photos are read past. */
export const maxTakenBytes = 64 * megabyte
const maxReadBytes = 256 * megabyte
/** More than the longest message, so that one that is too long comes back with its fault. */
const maxFieldBytes = 64 * 1024
const limits = { fileSize: maxImageBytes + 1, files: 40, fields: 20, fieldSize: maxFieldBytes, parts: 60, headerPairs: 50 }

/** Without `receive` nothing is kept of the photos. */
export async function readForm(request: FastifyRequest, receive?: Receive) {
  const form: PageForm = { fields: {}, photos: [], photosRefused: 0 }
  if (!request.isMultipart()) {
    for (const [name, value] of Object.entries((request.body ?? {}) as Record<string, string>)) keep(form, name, value)
    return form
  }
  const bytes = limitBytes(request)
  const take = receive && bytes > maxTakenBytes ? refuse : receive
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') keep(form, part.fieldname, String(part.value))
      else if (!(await readPhoto(form, part, request.log, take))) form.photosRefused += 1
    }
  } catch (error) {
    await dropPhotos(form)
    // Read to its end: a browser reads the answer only when all of its form has been taken.
    request.raw.unpipe()
    request.raw.resume()
    // What has no status is said by what reads forms: it is not one, or did not arrive whole.
    throw error instanceof Problem || isRefusal(error) ? error : new Problem('invalid_input', { cause: error })
  }
  return form
}

export async function dropPhotos({ photos }: PageForm) {
  await Promise.all(photos.map(({ drop }) => drop()))
}

function keep({ fields }: PageForm, name: string, value: string) {
  // Forms end their lines as mail does.
  if (isField(name)) fields[name] = value.replaceAll('\r\n', '\n')
}

const isRefusal = (error: unknown) => error instanceof Error && 'statusCode' in error

type FilePart = { fieldname: string; filename: string; file: Readable }

/** False when it was refused; the rest of the form is read all the same. */
async function readPhoto(form: PageForm, part: FilePart, log: FastifyBaseLogger, receive: Receive | undefined) {
  const { fieldname, filename, file } = part
  try {
    // A field in which nothing was chosen comes as a file without a name.
    if (fieldname !== 'photos' || filename === '' || !receive) return true
    if (form.photos.length >= mostContactPhotos) return false
    form.photos.push(await receive(file))
    return true
  } catch (error) {
    if (!(error instanceof Problem)) log.error({ err: error }, 'a photo of a visitor was not taken')
    return false
  } finally {
    file.resume()
  }
}

async function refuse(): Promise<never> {
  throw new Problem('body_too_large')
}

/** Answers how many there are: browsers say so beforehand. */
function limitBytes({ raw, headers }: FastifyRequest) {
  const announced = Number(headers['content-length'] ?? 0)
  if (announced > maxReadBytes) throw new Problem('body_too_large')
  let bytes = 0
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxReadBytes) raw.destroy()
  })
  return announced
}

/** What is in the form, as the other way of sending it takes it; or what is wrong with it. */
export function readDraft({ fields }: PageForm, chosen: Language): { draft: ContactDraft } | { faults: ValueFault[] } {
  const { name, email, projectType, message, website, about, language = chosen } = fields
  const read = contactDraft.safeParse({
    ...{ name, email, projectType, message },
    // People see none of these: they must not keep them from sending it.
    website: website?.slice(0, 500),
    about: about && about.length <= 200 ? about : undefined,
    language: isLanguage(language) ? language : chosen,
  })
  if (read.success) return { draft: read.data }
  const firsts = new Map(read.error.issues.toReversed().map((issue) => [issue.path.join('.'), issue as Issue]))
  return { faults: [...firsts.values()].toReversed().map(valueFaultOf) }
}

/** What the page shows again. */
export function entriesIn({ fields: { name, email, projectType, message } }: PageForm): SentForm['entries'] {
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(projectType !== undefined && { projectType }),
    ...(message !== undefined && { message }),
  }
}
