type Attempts = { failures: number; lastFailure: string }

/** Mistakes that cost nothing. A household shares an address, so addresses get more of them. */
export const freeMistakes = { account: 5, address: 20 } as const

const longestWait = 5 * 60

/** How many seconds must pass after the latest failure: none at first, then doubling, never more than five minutes. */
export function secondsToWait(failures: number, free: number) {
  return failures < free ? 0 : Math.min(2 ** (failures - free), longestWait)
}

/** Seconds until another attempt is heard; 0 when it is heard now. */
export function secondsLeft(attempts: Attempts | undefined, free: number, now: Date) {
  if (!attempts) return 0
  const heardFrom = Date.parse(attempts.lastFailure) + secondsToWait(attempts.failures, free) * 1000
  return Math.max(0, Math.ceil((heardFrom - now.getTime()) / 1000))
}
