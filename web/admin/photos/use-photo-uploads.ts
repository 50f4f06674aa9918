import { useEffect, useState, useSyncExternalStore } from 'react'
import { sendBytes } from '../../api/send-bytes.ts'
import { leavePanel } from '../leave-panel.ts'
import { isSignedOut } from '../session.ts'
import { queuePhotos, type Upload } from './photo-uploads.ts'
import { causeOf, sendPhoto, uploadAddress } from './send-photo.ts'

type Send = Parameters<typeof queuePhotos>[0]['send']

const send: Send = async (file, { signal, onProgress }) => {
  const announced = file.type.startsWith('image/') ? { bytes: file.size, contentType: file.type } : undefined
  const url = await uploadAddress(announced)
  const put = async (to: string) => {
    await sendBytes(file, { method: 'PUT', url: to, signal, onProgress })
    return {}
  }
  return (await sendPhoto({ url, put, signal })).objectPath
}

const leaveWhenSignedOut = (error: unknown) => {
  if (isSignedOut(causeOf(error))) leavePanel('sessionEnded')
}

export type PhotoUploads = Pick<ReturnType<typeof queuePhotos>, 'add' | 'retry' | 'remove'> & {
  uploads: readonly Upload[]
  /** Those that are waiting or being sent. */
  underWay: number
  /** Those that did not arrive and can be sent again. */
  failed: readonly Upload[]
}

type Arrival = Parameters<typeof queuePhotos>[0]['onArrived']

/** The photos that are on their way while a form is open; the rest is stopped when it closes. Keeps the first `onArrived`. */
export function usePhotoUploads(onArrived: Arrival): PhotoUploads {
  const [queue] = useState(() => queuePhotos({ send, onArrived, onFailed: leaveWhenSignedOut }))
  const uploads = useSyncExternalStore(queue.subscribe, queue.uploads)
  useEffect(() => queue.stop, [queue])
  return {
    add: queue.add,
    retry: queue.retry,
    remove: queue.remove,
    uploads,
    underWay: uploads.filter(({ state }) => state === 'waiting' || state === 'sending').length,
    failed: uploads.filter(({ state }) => state === 'failed'),
  }
}
