import { test } from 'vitest'
import { killJobsOn, killRounds } from './kill-jobs.ts'

// One file for each database, so that they run at the same time.
test(
  `backups, previews, restores and undos on sqlite, killed with their worker or with the site at ${killRounds} moments, leave the site wholly before or after`,
  { timeout: 120_000 + killRounds * 12_000 },
  () => killJobsOn('sqlite'),
)
