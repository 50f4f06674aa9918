import { createHash } from 'node:crypto'
import { keptTaps } from '#web/keep-taps.ts'

/** The one script that stands in a page itself, as a policy names it. */
export const inPageScript = `'sha256-${createHash('sha256').update(keptTaps).digest('base64')}'`
