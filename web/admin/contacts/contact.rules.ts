export const recentCount = 5
const previewLength = 100

/** The beginning of a message. Counted in characters as people see them, so that none is cut in half. */
export function previewOf(message: string) {
  const characters = [...message]
  return characters.length > previewLength ? `${characters.slice(0, previewLength).join('')}…` : message
}
