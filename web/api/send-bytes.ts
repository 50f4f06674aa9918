import { CallError, problemIn } from './call.ts'

type Sending = { method: 'POST' | 'PUT'; url: string; signal: AbortSignal; onProgress(part: number): void }

/** Sends a file or a part of one, and resolves to the answer's body. XMLHttpRequest, because fetch reports no upload progress. */
export function sendBytes(file: Blob, { method, url, signal, onProgress }: Sending) {
  return new Promise<string>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    request.open(method, url)
    if (file.type) request.setRequestHeader('content-type', file.type)
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    request.onload = () => {
      const { status, responseText } = request
      if (status >= 200 && status < 300) resolve(responseText)
      else reject(new CallError(status, responseText, problemIn(responseText)))
    }
    request.onerror = () => reject(new TypeError('No answer'))
    request.onabort = () => reject(signal.reason)
    const stop = () => request.abort()
    signal.addEventListener('abort', stop)
    request.onloadend = () => signal.removeEventListener('abort', stop)
    request.send(file)
  })
}

/** Whether a retry may help: no answer, or one that says later. */
export function isTransient(error: unknown) {
  if (!(error instanceof CallError)) return true
  return error.status === 408 || error.status === 429 || (error.status >= 500 && error.status !== 507)
}
