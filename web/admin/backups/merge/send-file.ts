import { beginBackupUpload, sendBackupPart, uploadPartBytes } from '#contract/restores.ts'
import { addressOf, call } from '../../../api/call.ts'
import { sendBytes } from '../../../api/send-bytes.ts'
import { pause } from '../../pause.ts'
import { isPassing, partsLeft } from './parts.rules.ts'

/** A part that did not get through is sent again after so many milliseconds. */
const pauses = [500, 2_000]

type Sending = {
  signal: AbortSignal
  /** How much has arrived, from 0 to 1, and whether that began with what had arrived earlier. */
  onProgress(sent: number, isResumed: boolean): void
}

/** Sends a file in parts, but for those that have arrived already. Answers what the server calls it. */
export async function sendFile(file: File, { signal, onProgress }: Sending) {
  const about = { filename: file.name, bytes: file.size, modified: file.lastModified }
  // Refused while something else is under way: better now than after gigabytes.
  const { id, received } = await call(beginBackupUpload, { body: about }, { signal })
  const { left, arrived } = partsLeft({ bytes: file.size, partBytes: uploadPartBytes, received })
  let sent = arrived
  const tell = (more: number) => onProgress((sent + more) / file.size, received.length > 0)
  tell(0)
  for (const { part, from, to } of left) {
    const url = addressOf(sendBackupPart, { params: { id, part: String(part) } })
    const bytes = file.slice(from, to, 'application/octet-stream')
    await persistently(
      () => sendBytes(bytes, { method: 'PUT', url, signal, onProgress: (done) => tell(done * (to - from)) }),
      signal,
    )
    sent += to - from
    tell(0)
  }
  return id
}

async function persistently(send: () => Promise<unknown>, signal: AbortSignal) {
  for (const milliseconds of pauses) {
    try {
      return await send()
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error
      await pause(milliseconds, signal)
    }
  }
  return send()
}
