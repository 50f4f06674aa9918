type Attempts = { failures: number; lastFailure: string }

/** Failures without a delay, and the longest delay after later ones, in seconds. */
export type Brake = { free: number; maxDelay: number }

const minutes = 60

/**
 * Failures are counted by address, so that strangers lock nobody out; a household shares an address, so an address has more of
 * them. Guesses from everywhere at one account are delayed too, by little. A first attempt is still heard, unless the account
 * is attacked from thousands of addresses: the one delay strangers can cause. A known browser is counted by itself.
 */
export const brakes = {
  accountAtAddress: { free: 5, maxDelay: 5 * minutes },
  address: { free: 20, maxDelay: 5 * minutes },
  account: { free: 300, maxDelay: 30 },
  accountUnderAttack: { free: 3_000, maxDelay: 30 },
  device: { free: 5, maxDelay: 5 * minutes },
} as const satisfies Record<string, Brake>

/** How many seconds must pass after the latest failure: none at first, then doubling up to the longest wait. */
export function secondsToWait(failures: number, { free, maxDelay }: Brake) {
  return failures < free ? 0 : Math.min(2 ** (failures - free), maxDelay)
}

/** Seconds until another attempt is heard; 0 when it is heard now. */
export function secondsLeft(attempts: Attempts | undefined, brake: Brake, now: Date) {
  if (!attempts) return 0
  const wait = secondsToWait(attempts.failures, brake)
  const heardFrom = Date.parse(attempts.lastFailure) + wait * 1000
  // Never longer than the wait: the clock may have been ahead.
  return Math.min(wait, Math.max(0, Math.ceil((heardFrom - now.getTime()) / 1000)))
}
