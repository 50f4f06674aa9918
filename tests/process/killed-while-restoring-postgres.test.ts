import { test } from 'vitest'
import { killRestoresOn, killRounds } from './kill-restores.ts'

// One file for each database, so that they run at the same time.
test(
  `a restore on postgres killed at ${killRounds} moments leaves the site wholly before or wholly after, and it starts unaided`,
  { timeout: 120_000 + killRounds * 12_000 },
  () => killRestoresOn('postgres'),
)
