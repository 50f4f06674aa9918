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
  /** Where the widget is drawn. */
  target: HTMLElement
  texts: UploadTexts
  onUploaded(objectPath: string): void
  /** An upload failed; undefined when that is over. */
  onProblem(error: unknown): void
  /** A file is not taken at all, and why. */
  onRefused(sentence: string): void
}

/** As long as the widget shows its own. */
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
      // For the others the widget has sentences of its own.
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
    // A plain file field offers the camera too; where there is one for certain, so does a button.
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
    // Uppy retries the parts of a large upload only; ours has no parts.
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
    // `onBeforeFileAdded` has reported its own already.
    if ('isUserFacing' in error && error.isUserFacing) onRefused(error.message)
  })
  const clearProblem = () => onProblem(undefined)
  for (const event of ['file-added', 'file-removed', 'upload', 'upload-retry'] as const) uppy.on(event, clearProblem)
  uppy.on('upload-success', (_file, { body }) => body && onUploaded(body.objectPath))

  const roleObserver = addMissingRoles(target)
  target.querySelector<HTMLElement>('[data-uppy-super-focusable]')?.focus()

  /** The widget takes what is pasted while the focus is in it; this takes the rest of the page. */
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

/** Some parts of the widget have labels without roles, which screen readers ignore. */
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
    // Uppy has shown why it does not take it.
  }
}

/** The server's own sentence, out of what the widget makes of its answer. */
function explain(error: unknown): never {
  const { status = 0, responseText = '' } = (error as { source?: Partial<XMLHttpRequest> }).source ?? {}
  throw status > 0 ? new CallError(status, responseText, problemIn(responseText)) : error
}
