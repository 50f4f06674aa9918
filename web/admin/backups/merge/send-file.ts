import { beginBackupUpload, sendBackupPart, uploadPartBytes } from '#contract/restores.ts'
import { addressOf, call } from '../../../api/call.ts'
import { isTransient, sendBytes } from '../../../api/send-bytes.ts'
import { pause } from '../../pause.ts'

/** Milliseconds before each retry of a part. */
const pauses = [500, 2_000]

type Sending = { signal: AbortSignal /** From 0 to 1. */; onProgress(sent: number): void }

/** Sends the parts that have not arrived yet. Returns the id of the upload. */
export async function sendFile(file: File, { signal, onProgress }: Sending) {
  const about = { filename: file.name, bytes: file.size, modified: file.lastModified }
  // Refused while other work runs: now instead of after gigabytes.
  const { id, received } = await call(beginBackupUpload, { body: about }, { signal })
  for (let part = 0, arrived = 0; arrived < file.size; part += 1) {
    const bytes = file.slice(arrived, arrived + uploadPartBytes, 'application/octet-stream')
    const url = addressOf(sendBackupPart, { params: { id, part: String(part) } })
    const start = arrived
    const tell = (done: number) => onProgress((start + done * bytes.size) / file.size)
    if (!received.includes(part)) {
      await withRetries(() => sendBytes(bytes, { method: 'PUT', url, signal, onProgress: tell }), signal)
    }
    tell(1)
    arrived += bytes.size
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

/** By its name, as the server tells it from an export. */
export const isArchive = (filename: string) => /\.zip(\.age)?$/i.test(filename)

/** The server tells an export from an archive by the name: a file with neither ending is sent as an export. */
export function asExport(file: File, exportName: string) {
  if (/\.(json|zip)(\.age)?$/i.test(file.name)) return file
  return new File([file], exportName, { type: file.type, lastModified: file.lastModified })
}
