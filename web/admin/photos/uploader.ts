import '@uppy/core/css/style.min.css'
import '@uppy/dashboard/css/style.min.css'
import './uploader.css'
import AwsS3, { type AwsBody } from '@uppy/aws-s3'
import Uppy, { type Meta, type UppyFile } from '@uppy/core'
import Dashboard from '@uppy/dashboard'
import type { UploadTexts } from '#content/en/upload.ts'
import { maxImageBytes } from '#contract/contact-fields.ts'
import { CallError, problemIn } from '../../api/call.ts'
import { canTryAgain, refusalOf, retryDelays, sendPhoto, uploadAddress } from './send-photo.ts'

type Options = {
  target: HTMLElement
  texts: UploadTexts
  onUploaded(objectPath: string): void
  /** An upload failed; undefined clears the error. */
  onProblem(error: unknown): void
  /** Why a file was refused. */
  onRefused(sentence: string): void
}

/** The same as Uppy's own notices. */
const noticeDuration = 5000

type Sent = AwsBody & { objectPath: string }

/** The upload widget: one photo, from a file, a drop, the clipboard or the camera, sent on request. */
export function startUploader({ target, texts, onUploaded, onProblem, onRefused }: Options): { stop(): void } {
  const uppy = new Uppy<Meta, Sent>({
    restrictions: { maxNumberOfFiles: 1, maxFileSize: maxImageBytes, allowedFileTypes: ['image/*'] },
    autoProceed: false,
    locale: { strings: texts.widget, pluralize: (count) => (count === 1 ? 0 : 1) },
    // Failures are shown in the dialog, not in the browser's console.
    logger: { debug() {}, warn() {}, error() {} },
    onBeforeFileAdded(file) {
      const reason = refusalOf({ name: file.name ?? '', type: file.type ?? '', size: file.size ?? 0 })
      // Uppy has its own messages for the other reasons.
      if (reason !== 'heic' && reason !== 'svg') return true
      const refusal = texts.refusals[reason]
      uppy.info(refusal, 'error', noticeDuration)
      onRefused(refusal)
      return false
    },
  })

  uppy.use(Dashboard, {
    target,
    inline: true,
    width: '100%',
    height: '23rem',
    proudlyDisplayPoweredByUppy: false,
    hidePauseResumeButton: true,
    doneButtonHandler: null,
    thumbnailWidth: 640,
    // On a computer the file dialog is enough.
    showNativePhotoCameraButton: matchMedia('(pointer: coarse)').matches,
    nativeCameraFacingMode: 'environment',
  })

  uppy.use(AwsS3, {
    shouldUseMultipart: false,
    retryDelays,
    getUploadParameters: async ({ size, type: contentType }) => ({
      method: 'PUT',
      url: await uploadAddress(size ? { bytes: size, contentType } : undefined),
      headers: { 'content-type': contentType },
    }),
    // Uppy retries only parts of multipart uploads; this upload is a single request.
    uploadPartBytes: ({ signature, ...rest }) =>
      sendPhoto({
        url: signature.url,
        signal: rest.signal,
        put: (url) => AwsS3.uploadPartBytes({ signature: { ...signature, url }, ...rest }).catch(explain),
      }),
  })

  uppy.on('upload-error', (_file: UppyFile<Meta, Sent> | undefined, error) => {
    uppy.getPlugin<Dashboard<Meta, Sent>>('Dashboard')?.setOptions({ hideRetryButton: !canTryAgain(error) })
    onProblem(error)
  })
  uppy.on('restriction-failed', (_file, error) => {
    // `onBeforeFileAdded` has already reported its refusals.
    if ('isUserFacing' in error && error.isUserFacing) onRefused(error.message)
  })
  const clearProblem = () => onProblem(undefined)
  for (const event of ['file-added', 'file-removed', 'upload', 'upload-retry'] as const) uppy.on(event, clearProblem)
  uppy.on('upload-success', (_file, { body }) => body && onUploaded(body.objectPath))

  const roleObserver = addMissingRoles(target)
  target.querySelector<HTMLElement>('[data-uppy-super-focusable]')?.focus()

  /** Uppy handles a paste only while it has the focus; this handles the rest of the page. */
  const paste = (event: ClipboardEvent) => {
    if (event.target instanceof Node && target.contains(event.target)) return
    for (const data of event.clipboardData?.files ?? []) addFile(uppy, data)
  }
  document.addEventListener('paste', paste)

  return {
    stop() {
      document.removeEventListener('paste', paste)
      roleObserver.disconnect()
      uppy.destroy()
    },
  }
}

/** Some elements of Uppy have labels without roles, which screen readers ignore. */
function addMissingRoles(target: HTMLElement) {
  const roles = { '.uppy-Dashboard': 'group', '.uppy-Dashboard-files': 'list' }
  const add = () => {
    for (const [part, role] of Object.entries(roles)) target.querySelector(part)?.setAttribute('role', role)
  }
  add()
  const observer = new MutationObserver(add)
  observer.observe(target, { childList: true, subtree: true })
  return observer
}

function addFile(uppy: Uppy<Meta, Sent>, data: File) {
  try {
    uppy.addFile({ source: 'paste', name: data.name, type: data.type, data })
  } catch {
    // Uppy has already shown why it refuses the file.
  }
}

/** Uppy wraps the server's answer: unwraps the message. */
function explain(error: unknown): never {
  const { status = 0, responseText = '' } = (error as { source?: Partial<XMLHttpRequest> }).source ?? {}
  throw status > 0 ? new CallError(status, responseText, problemIn(responseText)) : error
}
