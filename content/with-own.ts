/** The words or facts the site came with, with those in their place that the maker has changed, each by its path. */
export function withOwn<T>(defaults: T, own: Partial<Record<string, string>> = {}): T {
  return Object.entries(own).reduce((all, [path, value]) => withOne(all, path.split('.'), value), defaults)
}

function withOne<T>(all: T, [name = '', ...rest]: string[], value: unknown): T {
  const copy = (Array.isArray(all) ? [...all] : { ...all }) as Record<string, unknown>
  copy[name] = rest.length > 0 ? withOne(copy[name], rest, value) : value
  return copy as T
}
