import type { Clock } from '#server/clock.ts'

/** A site has one name, or two; with PUBLIC_URL it has exactly that. */
const maxKept = 4
const replaceAfter = 10 * 60_000

/**
 * The host names a site without PUBLIC_URL is called by. A page is made and kept for each, so invented names could fill the
 * cache: beyond the first few, a new name replaces the least recently used one, once in ten minutes. Until then it gets
 * relative links.
 */
export function createBases(clock: Clock) {
  const kept = new Set<string>()
  let mayReplaceAt = 0

  return function baseFor(called: string | undefined): string {
    if (called === undefined) return ''
    const now = clock.now().getTime()
    if (!kept.has(called)) {
      const [leastUsed = ''] = kept
      if (kept.size >= maxKept && now < mayReplaceAt) return ''
      if (kept.size >= maxKept) kept.delete(leastUsed)
      mayReplaceAt = now + replaceAfter
    }
    // Most recently used last.
    kept.delete(called)
    kept.add(called)
    return called
  }
}
