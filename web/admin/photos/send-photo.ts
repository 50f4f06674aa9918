import type { ProblemCode } from '#contract/problems.ts'
import { type AnnouncedPhoto, finalizeUpload, requestUpload } from '#contract/uploads.ts'
import { CallError, call } from '../../api/call.ts'

/** How long to wait before each further attempt, in milliseconds. */
export const retryDelays = [0, 1000, 3000, 5000]

/** The site gave no address to send a photo to. */
export class NoUploadAddress extends Error {}

/** Straight to where photos are stored, when the site is told what comes and that is possible; else to the site. */
export async function uploadAddress(announced?: AnnouncedPhoto): Promise<string> {
  try {
    return (await call(requestUpload, { body: announced })).uploadURL
  } catch (cause) {
    throw new NoUploadAddress('Failed to get upload URL', { cause })
  }
}

type Attempt = {
  /**
   * The address for the first attempt. Each further one asks for its own, because an address is good for one photo, and goes
   * to the site itself: what stands between this browser and the storage does not stand there.
   */
  url: string
  /** Sends the bytes to an address. */
  put(url: string): Promise<{ ETag: string }>
  signal?: AbortSignal | undefined
  delays?: readonly number[]
}

/**
 * Sends a photo and has it judged. Both together are one attempt: what fails for want of a connection, or on the server's
 * side, is tried again from the start; what is refused is refused.
 */
export async function sendPhoto({ url, put, signal, delays = retryDelays }: Attempt) {
  for (const delay of [...delays, undefined]) {
    try {
      const sent = await put(url)
      const { objectPath } = await call(finalizeUpload, { body: { imageURL: url } })
      return { ...sent, location: url, objectPath }
    } catch (error) {
      if (delay === undefined || signal?.aborted || isOffline() || !isPassing(error)) throw error
      await pause(delay, signal)
    }
    url = await nextAddress(url)
  }
  throw new Error('There is always a last attempt.')
}

/** Without a connection there is no new address either; the next attempt will tell. */
async function nextAddress(url: string) {
  try {
    return await uploadAddress()
  } catch (error) {
    if (isPassing(error)) return url
    throw error
  }
}

/** Without a signal nothing is gained by waiting: the maker is told at once, and tries again when there is one. */
function isOffline() {
  return globalThis.navigator?.onLine === false
}

/** Of the address and not of the photo: a new attempt gets a new one. */
const addressFaults: readonly (string | undefined)[] = [
  'upload_interrupted',
  'upload_not_found',
  'upload_not_received',
  'upload_used',
  'upload_expired',
] satisfies ProblemCode[]

/** Whether the maker may want to send the same photo again; one that was refused will be refused again. */
export function canTryAgain(error: unknown): boolean {
  const cause = error instanceof NoUploadAddress ? error.cause : error
  return isPassing(cause) || (cause instanceof CallError && addressFaults.includes(cause.problem?.code))
}

/** Whether the next attempt may end better: nobody answered, or somebody who could not. */
function isPassing(error: unknown): boolean {
  if (error instanceof NoUploadAddress) return isPassing(error.cause)
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

function pause(milliseconds: number, signal: AbortSignal | undefined) {
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
