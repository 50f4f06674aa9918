import { type MergeReport, restoreComplete, restoreUpload } from '#contract/backups.ts'
import { CallError, problemIn } from '../../api/call.ts'

type Upload = {
  file: File
  /** How much has been sent, from 0 to 1. */
  onProgress(part: number): void
}

/** Sends an archive. By XMLHttpRequest, because fetch does not report the progress of an upload. */
export function uploadBackup({ file, onProgress }: Upload): Promise<MergeReport> {
  const form = new FormData()
  form.append(restoreUpload.field, file)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.upload.onload = () => onProgress(1)
    request.onload = () => {
      const { status, responseText, statusText } = request
      if (status < 200 || status > 299)
        return reject(new CallError(status, responseText || statusText, problemIn(responseText)))
      try {
        resolve(JSON.parse(responseText) as MergeReport)
      } catch (error) {
        // Thrown here it would leave the dialog waiting for ever.
        reject(error)
      }
    }
    request.onerror = () => reject(new TypeError('The upload was cut off.'))
    request.open(restoreComplete.method, restoreComplete.path)
    request.withCredentials = true
    request.send(form)
  })
}
