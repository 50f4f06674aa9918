type Attempts = { failures: number; lastFailure: string }

/** Mistakes that cost nothing, and the longest wait after later ones, in seconds. */
export type Brake = { free: number; longestWait: number }

const minutes = 60

/**
 * Nobody can be kept out by the mistakes of others: those of one address are counted apart. A household shares an address,
 * so an address has more of them. Guesses from everywhere at one account are slowed too, and only a little; who has made none
 * yet is heard once all the same, as long as the account is not attacked from thousands of addresses: this is the one wait
 * strangers can cause. A browser that has signed in before is counted by itself.
 */
export const brakes = {
  accountAtAddress: { free: 5, longestWait: 5 * minutes },
  address: { free: 20, longestWait: 5 * minutes },
  account: { free: 300, longestWait: 30 },
  accountUnderAttack: { free: 3_000, longestWait: 30 },
  device: { free: 5, longestWait: 5 * minutes },
} as const satisfies Record<string, Brake>

/** How many seconds must pass after the latest failure: none at first, then doubling up to the longest wait. */
export function secondsToWait(failures: number, { free, longestWait }: Brake) {
  return failures < free ? 0 : Math.min(2 ** (failures - free), longestWait)
}

/** Seconds until another attempt is heard; 0 when it is heard now. */
export function secondsLeft(attempts: Attempts | undefined, brake: Brake, now: Date) {
  if (!attempts) return 0
  const heardFrom = Date.parse(attempts.lastFailure) + secondsToWait(attempts.failures, brake) * 1000
  return Math.max(0, Math.ceil((heardFrom - now.getTime()) / 1000))
}
