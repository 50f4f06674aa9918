/** Photos that visitors sent lie apart from the maker's, which anybody may see. */
export const inquiryPhotos = 'inquiry-photos'

/** By the SHA-256 of its bytes. */
export function inquiryPhotoName(hash: string) {
  return `${inquiryPhotos}/${hash}`
}
