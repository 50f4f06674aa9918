import { createHash } from 'node:crypto'
import { earlyScript } from '#web/early-script.ts'

/** The one script that stands in a page itself, as a policy names it. */
export const inPageScript = `'sha256-${createHash('sha256').update(earlyScript).digest('base64')}'`
