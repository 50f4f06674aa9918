/** sessionStorage can be forbidden or full: then nothing is stored. */
export function withTabStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}
