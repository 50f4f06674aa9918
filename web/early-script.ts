import { markFreshVisit } from './fresh-visit.ts'
import { keepTaps } from './keep-taps.ts'

/** Stands in the page itself, made of the texts of these functions: they may use nothing from outside. */
export const earlyScript = [markFreshVisit, keepTaps].map((each) => `(${each})()`).join(';')
