import { maxImageBytes } from '#contract/contact-fields.ts'
import { type AnnouncedImage, finalizeUpload, requestUpload } from '#contract/images.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { CallError, call } from '../../api/call.ts'
import { isTransient, sendBytes } from '../../api/send-bytes.ts'
import { pause } from '../pause.ts'

/** How long to wait before each further attempt, in milliseconds. */
const retryDelays = [0, 1000, 3000, 5000]

/** The server returned no upload address. */
export class NoUploadAddress extends Error {}

/** An address of the bucket when there is one and size and type are known, else one of the site. */
async function uploadAddress(announced?: AnnouncedImage): Promise<string> {
  try {
    return (await call(requestUpload, { body: announced })).uploadURL
  } catch (cause) {
    throw new NoUploadAddress('Failed to get upload URL', { cause })
  }
}

export function causeOf(error: unknown) {
  return error instanceof NoUploadAddress ? error.cause : error
}

type Sending = {
  signal: AbortSignal
  onProgress(part: number): void
  put?: typeof sendBytes
  delays?: readonly number[]
}

/**
 * Uploads and finalizes a photo, and resolves to its address. Both together are one attempt: temporary failures are retried
 * from the start, refusals are final. While the browser is offline nothing is retried: the failure is shown at once.
 */
export async function sendPhoto(file: File, { put = sendBytes, delays = retryDelays, ...sending }: Sending): Promise<string> {
  const isKnown = file.type.startsWith('image/')
  let url: string | undefined = await uploadAddress(isKnown ? { bytes: file.size, contentType: file.type } : undefined)
  for (const delay of [...delays, undefined]) {
    try {
      // Of the site: a proxy or a missing CORS rule may keep this browser from the bucket.
      url ??= await uploadAddress()
      await put(file, { method: 'PUT', url, ...sending })
      return (await call(finalizeUpload, { body: { imageURL: url } })).objectPath
    } catch (error) {
      const isOffline = globalThis.navigator?.onLine === false
      if (delay === undefined || sending.signal.aborted || isOffline || !isTransient(causeOf(error))) throw error
      await pause(delay, sending.signal)
    }
    // Each is good for one upload.
    url = undefined
  }
  throw new Error('There is always a last attempt.')
}

/** Faults of the address or of the session and not of the photo: a retry gets a new address. */
const otherFaults: readonly (string | undefined)[] = [
  'sign_in_required',
  'upload_interrupted',
  'upload_not_found',
  'upload_not_received',
  'upload_used',
  'upload_expired',
  'disk_full',
] satisfies ProblemCode[]

/** Whether the same photo can be sent again; a refused one would be refused again. */
export function canTryAgain(error: unknown): boolean {
  const cause = causeOf(error)
  return isTransient(cause) || (cause instanceof CallError && otherFaults.includes(cause.problem?.code))
}

export type Refusal = 'heic' | 'svg' | 'notAPhoto' | 'tooLarge' | 'alreadyHere'

type PhotoFile = Pick<File, 'name' | 'type' | 'size'>

/** Some systems give HEIC files no type. The server judges other files without a type. */
export function refusalOf({ name, type, size }: PhotoFile): Refusal | undefined {
  if (/^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name)) return 'heic'
  if (type === 'image/svg+xml') return 'svg'
  if (type !== '' && !type.startsWith('image/')) return 'notAPhoto'
  if (size > maxImageBytes) return 'tooLarge'
  return undefined
}
