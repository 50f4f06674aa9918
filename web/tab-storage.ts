/** What is kept for this tab. Storage can be forbidden or full; then there is simply nothing kept. */
export function withTabStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}
