import { maxImageBytes } from '#contract/contact-fields.ts'
import { type AnnouncedImage, finalizeUpload, requestUpload } from '#contract/images.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { CallError, call } from '../../api/call.ts'
import { pause } from '../pause.ts'

/** How long to wait before each further attempt, in milliseconds. */
export const retryDelays = [0, 1000, 3000, 5000]

/** The server returned no upload address. */
export class NoUploadAddress extends Error {}

/** An address of the bucket when there is one and size and type are known, else one of the site. */
export async function uploadAddress(announced?: AnnouncedImage): Promise<string> {
  try {
    return (await call(requestUpload, { body: announced })).uploadURL
  } catch (cause) {
    throw new NoUploadAddress('Failed to get upload URL', { cause })
  }
}

/** Unwraps the cause of a failed upload. */
export function causeOf(error: unknown) {
  return error instanceof NoUploadAddress ? error.cause : error
}

type Attempt<Sent> = {
  /**
   * The address for the first attempt. A retry gets a new one, because each is good for one upload, and it goes through the
   * site: a proxy or a missing CORS rule may keep this browser from the bucket.
   */
  url: string
  /** Sends the bytes to an address. */
  put(url: string): Promise<Sent>
  signal?: AbortSignal | undefined
  delays?: readonly number[]
}

/**
 * Uploads and finalizes a photo. Both together are one attempt: temporary failures are retried from the start, refusals are
 * final.
 */
export async function sendPhoto<Sent>({ url, put, signal, delays = retryDelays }: Attempt<Sent>) {
  for (const delay of [...delays, undefined]) {
    try {
      const sent = await put(url)
      const { objectPath } = await call(finalizeUpload, { body: { imageURL: url } })
      return { ...sent, location: url, objectPath }
    } catch (error) {
      if (delay === undefined || signal?.aborted || isOffline() || !isTemporary(error)) throw error
      await pause(delay, signal)
    }
    url = await nextAddress(url)
  }
  throw new Error('There is always a last attempt.')
}

/** Without a connection there is no new address either: the old one stays until the next attempt. */
async function nextAddress(url: string) {
  try {
    return await uploadAddress()
  } catch (error) {
    if (isTemporary(error)) return url
    throw error
  }
}

/** No retries while the browser is offline: the failure is shown at once. */
function isOffline() {
  return globalThis.navigator?.onLine === false
}

/** Faults of the address or of the session and not of the photo: a retry gets a new address. */
const otherFaults: readonly (string | undefined)[] = [
  'sign_in_required',
  'upload_interrupted',
  'upload_not_found',
  'upload_not_received',
  'upload_used',
  'upload_expired',
] satisfies ProblemCode[]

/** Whether the same photo can be sent again; a refused one would be refused again. */
export function canTryAgain(error: unknown): boolean {
  const cause = causeOf(error)
  return isTemporary(cause) || (cause instanceof CallError && otherFaults.includes(cause.problem?.code))
}

/** Whether a retry may succeed: no answer, a timeout, a rate limit or a server error. */
function isTemporary(error: unknown): boolean {
  if (error instanceof NoUploadAddress) return isTemporary(error.cause)
  const status = statusOf(error)
  return status === 0 || status === 408 || status === 429 || status >= 500
}

/** 0 when there was no answer at all. */
function statusOf(error: unknown): number {
  if (error instanceof CallError) return error.status
  const { name, source } = error as { name?: string; source?: { status?: number } }
  if (name === 'AbortError') return 400
  return source?.status ?? 0
}

/** Why a photo is refused before it is sent. */
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
