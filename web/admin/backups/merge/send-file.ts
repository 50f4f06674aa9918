import { beginBackupUpload, sendBackupPart, uploadPartBytes } from '#contract/restores.ts'
import { addressOf, CallError, call } from '../../../api/call.ts'
import { sendBytes } from '../../../api/send-bytes.ts'
import { pause } from '../../pause.ts'

/** Milliseconds before each retry of a part. */
const pauses = [500, 2_000]

type Sending = {
  signal: AbortSignal
  /** How much has arrived, from 0 to 1, and whether that began with what had arrived earlier. */
  onProgress(sent: number, isResumed: boolean): void
}

/** Sends the parts that have not arrived yet. Returns the id of the upload. */
export async function sendFile(file: File, { signal, onProgress }: Sending) {
  const about = { filename: file.name, bytes: file.size, modified: file.lastModified }
  // Refused while other work runs: now instead of after gigabytes.
  const { id, received } = await call(beginBackupUpload, { body: about }, { signal })
  const { left, arrived } = partsLeft({ bytes: file.size, partBytes: uploadPartBytes, received })
  let sent = arrived
  const tell = (more: number) => onProgress((sent + more) / file.size, received.length > 0)
  tell(0)
  for (const { part, from, to } of left) {
    const url = addressOf(sendBackupPart, { params: { id, part: String(part) } })
    const bytes = file.slice(from, to, 'application/octet-stream')
    await withRetries(
      () => sendBytes(bytes, { method: 'PUT', url, signal, onProgress: (done) => tell(done * (to - from)) }),
      signal,
    )
    sent += to - from
    tell(0)
  }
  return id
}

async function withRetries(send: () => Promise<unknown>, signal: AbortSignal) {
  for (const milliseconds of pauses) {
    try {
      return await send()
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error
      await pause(milliseconds, signal)
    }
  }
  return send()
}

/** The parts that have not arrived, and how many bytes of the file have. */
export function partsLeft({ bytes, partBytes, received }: { bytes: number; partBytes: number; received: readonly number[] }) {
  const there = new Set(received)
  const all = Array.from({ length: Math.ceil(bytes / partBytes) }, (_, part) => {
    const from = part * partBytes
    return { part, from, to: Math.min(bytes, from + partBytes) }
  })
  const left = all.filter(({ part }) => !there.has(part))
  return { left, arrived: bytes - left.reduce((sum, { from, to }) => sum + to - from, 0) }
}

/** Whether a retry may help: no answer, or one that says later. */
export function isTransient(error: unknown) {
  if (!(error instanceof CallError)) return true
  return error.status === 408 || error.status === 429 || (error.status >= 500 && error.status !== 507)
}

/** The server tells an export from an archive by the name: a file with neither ending is sent as an export. */
export function asExport(file: File, exportName: string) {
  if (/\.(json|zip)(\.age)?$/i.test(file.name)) return file
  return new File([file], exportName, { type: file.type, lastModified: file.lastModified })
}
