/** The upload widget's own words, by its own keys; where two forms are given, the first is for one. */
type WidgetTexts = Record<string, string | { 0: string; 1: string }>

export const uploadEn = {
  upload: 'Upload a photo',
  replace: 'Replace the photo',
  remove: 'Remove',
  empty: 'No photo yet',
  useAddress: 'Use an https:// address',
  title: 'Upload a photo',
  text: 'JPEG, PNG, WebP, AVIF or GIF, up to 10\u00a0MB. The place it was taken at is removed from it.',
  loading: 'Getting ready…',
  loadFailed: 'The upload window could not be loaded. Check the connection and try again.',
  done: 'Image uploaded successfully',
  noAddress: 'Failed to get upload URL',
  failed: 'Upload failed',
  interrupted: 'The connection dropped before the photo had arrived. Nothing was kept; please try again.',
  unanswered: 'The site could not take the photo right now. Nothing was kept; please try again in a moment.',
  heic: 'HEIC photos cannot be read here. Export the photo as JPEG and choose that file.',
  svg: 'Drawings in SVG are not taken. Choose a JPEG, PNG, WebP, AVIF or GIF file.',
  /** The widget speaks English by itself; these say it better for one photo. */
  widget: {
    dashboardTitle: 'Choose a photo',
    dropHint: 'Drop the photo here',
    dropPasteFiles: 'Drop a photo here, paste it, or %{browseFiles}',
    dropPasteImportFiles: 'Choose a photo of the model, or take one now',
    browseFiles: 'choose one from this device',
    myDevice: 'My photos',
    takePictureBtn: 'Take a photo',
    xFilesSelected: { 0: 'One photo chosen', 1: '%{smart_count} photos chosen' },
    uploadXFiles: { 0: 'Upload this photo', 1: 'Upload %{smart_count} photos' },
    uploadingXFiles: { 0: 'Uploading the photo', 1: 'Uploading %{smart_count} photos' },
    removeFile: 'Remove this photo',
    youCanOnlyUploadFileTypes: 'That file is not a photo this site can take. Choose a JPEG, PNG, WebP, AVIF or GIF file.',
  } as WidgetTexts,
}

export type UploadTexts = typeof uploadEn
