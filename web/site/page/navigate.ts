const listeners = new Set<() => void>()

/** Calls the listener whenever the address has changed, by `navigate` or by going back and forward. */
export function onNavigation(listener: () => void) {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

export const queryNow = () => new URLSearchParams(location.search)

/** Changes values in the query of the page's address. */
export function navigate(changes: Record<string, string | undefined>, { replace }: { replace: boolean }) {
  const query = queryNow()
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  history[replace ? 'replaceState' : 'pushState'](null, '', query.size > 0 ? `/?${query}` : '/')
  for (const listener of listeners) listener()
}
