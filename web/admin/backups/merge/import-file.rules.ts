/** More than this is neither read nor edited by anybody, and would fill the memory of the page. */
const mostShown = 1_000_000

/** Whether a file is shown as text. An encrypted one says nothing to anybody. */
export function isShownAsText({ name, size }: Pick<File, 'name' | 'size'>) {
  return size <= mostShown && !name.toLowerCase().endsWith('.age')
}

export function isJson(text: string) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A file as it is sent: by its name the server tells an export from an archive, and what is called neither is an export here. */
export function asExport(file: File, otherwise: string) {
  if (/\.(json|zip)(\.age)?$/i.test(file.name)) return file
  return new File([file], otherwise, { type: file.type, lastModified: file.lastModified })
}
