import { randomInt } from 'node:crypto'

/** A test that is random names its seed when it fails; TEST_SEED=<seed> runs it the same way again. */
export const newSeed = () => Number(process.env.TEST_SEED ?? randomInt(2 ** 31))

/** How often a test of chance repeats what it does: a few times with `npm test`, more with ROUNDS (`npm run bench -- reliability`). */
export const rounds = (few: number) => Number(process.env.ROUNDS ?? few)

/** Numbers from 0 up to 1 that are the same for the same seed: what was found by chance can be found again (mulberry32). */
export function seededRandom(seed: number) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
