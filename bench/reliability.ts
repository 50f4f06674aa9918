import { spawnSync } from 'node:child_process'
import { projectRoot } from '#server/own-program.ts'
import { newSeed } from '#tests/random.ts'

/** Tests that kill, damage and send hostile requests at random; a part of each name is enough. */
const tests = [
  'process/killed',
  'process/several',
  'process/mails',
  'lost-database',
  'damaged-files',
  'hostile-requests',
  'broken-forms',
  'http/fuzz',
  'hostile-archives',
]

/** The same tests as in `npm test`, with larger numbers: ROUNDS and TEST_SEED set them. */
export async function benchReliability() {
  const env = { ...process.env, ROUNDS: process.env.ROUNDS ?? '100', TEST_SEED: String(newSeed()) }
  const { status } = spawnSync('npx', ['vitest', 'run', ...tests], { cwd: projectRoot, env, stdio: 'inherit' })
  process.exitCode = status ?? 1
  return { rounds: env.ROUNDS, seed: env.TEST_SEED, passed: status === 0 }
}
