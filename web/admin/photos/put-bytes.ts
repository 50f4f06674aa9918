import { CallError, problemIn } from '../../api/call.ts'

type Sending = { signal: AbortSignal; onProgress(part: number): void }

/** Sends a file to an address. By XMLHttpRequest, because fetch does not say how much has been sent. */
export function putBytes(file: File, url: string, { signal, onProgress }: Sending) {
  return new Promise<object>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    if (file.type) request.setRequestHeader('content-type', file.type)
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    request.onload = () => {
      const { status, responseText } = request
      if (status >= 200 && status < 300) resolve({})
      else reject(new CallError(status, responseText, problemIn(responseText)))
    }
    request.onerror = () => reject(new TypeError('No answer'))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}
