import { runJob } from '#server/backup/run-job.ts'
import { backupJobs } from '#server/backup/schedule.ts'
import { runIfDue, type ScheduledJob } from '#server/jobs/jobs.ts'
import type { SiteJobParts } from '#server/jobs/run-jobs.ts'
import type { TestApp } from './test-app.ts'

/** Jobs run in this process; without restore tests, which the tests of them run. */
export function jobPartsOf({ app: _app, ...site }: TestApp, parts: Partial<SiteJobParts> = {}): SiteJobParts {
  return {
    ...site,
    config: { ...site.config, publicUrl: 'https://models.example' },
    demoAdminActive: async () => false,
    startJob: async (job) => (job.kind === 'restore-test' ? {} : runJob(site.jobs, job)),
    ...parts,
  }
}

/** What is due of the nightly backup, its copy, the restore test and mails about faults, one after the other. */
export async function runBackupJobs(site: TestApp, changes: Partial<SiteJobParts> = {}) {
  await runEach(backupJobs, jobPartsOf(site, changes))
}

/** What is due of them, one after the other. */
export async function runEach(list: (parts: SiteJobParts) => ScheduledJob[], parts: SiteJobParts) {
  for (const job of list(parts)) await runIfDue(job, parts)
}
