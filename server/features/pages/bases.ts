import type { Clock } from '#server/clock.ts'

/** A site has one name, or two; with PUBLIC_URL it has exactly that. */
const mostKept = 4
const replaceAfter = 10 * 60_000

/**
 * The names a site without PUBLIC_URL is called by. A page is made and kept for each, so that strangers who invent names could
 * make us work without end and push out what others read: beyond the first few, a name takes the place of the one that has
 * not been used for longest, and only when ten minutes have brought no other new one. Until then it gets relative links.
 */
export function createBases(clock: Clock) {
  const kept = new Set<string>()
  let mayReplaceAt = 0

  return function baseFor(called: string | undefined): string {
    if (called === undefined) return ''
    const now = clock.now().getTime()
    if (!kept.has(called)) {
      const [leastUsed = ''] = kept
      if (kept.size >= mostKept && now < mayReplaceAt) return ''
      if (kept.size >= mostKept) kept.delete(leastUsed)
      mayReplaceAt = now + replaceAfter
    }
    // The latest asked for goes to the end of the line.
    kept.delete(called)
    kept.add(called)
    return called
  }
}
