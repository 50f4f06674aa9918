/** Hands a text to the browser as a download. */
export function saveFile(text: string, filename: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = filename
  link.click()
  // The download keeps its own reference by now.
  setTimeout(() => URL.revokeObjectURL(address), 1_000)
}
