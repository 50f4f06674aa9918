import { expect, onTestFinished, test, vi } from 'vitest'
import { jobPartsOf } from '#tests/jobs.ts'
import { openTestApp } from '#tests/test-app.ts'
import { emptyDatabase } from '#tests/test-database.ts'
import { hour, minute } from '../clock.ts'
import { Problem } from '../http/problem.ts'
import { readJobs, runIfDue, writeJob } from './jobs.ts'
import { hourlyJob, startJobs } from './run-jobs.ts'

test('of several processes one runs the hourly job, the others leave it to it, and none runs it again within the hour', async () => {
  const place = await emptyDatabase('postgres')
  const site = await openTestApp('postgres', { place })
  const other = await openTestApp('postgres', { place, storage: site.storage, clock: site.clock })
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const listed: string[] = []
  const runIn = (process: typeof site, name: string) => {
    const list = async (folder: string) => {
      listed.push(name)
      await held
      return site.storage.list(folder)
    }
    return runIfDue(hourlyJob(jobPartsOf(process, { storage: { ...site.storage, list } })), process)
  }

  const first = runIn(site, 'first')
  await expect.poll(() => listed, { timeout: 20_000 }).toEqual(['first'])
  await runIn(other, 'second')
  letGo()
  await first
  await runIn(other, 'third')
  expect(new Set(listed)).toEqual(new Set(['first']))
  site.clock.pass({ hours: 1 })
  await runIn(other, 'fourth')
  expect(listed).toContain('fourth')
})

test('one of the hourly steps that fails keeps none of the others from running, and all are tried again', async () => {
  const site = await openTestApp('sqlite')
  const cleared: Date[] = []
  const storage = {
    ...site.storage,
    list: async () => Promise.reject(new Error('No list today')),
    clearUnfinished: async (before: Date) => void cleared.push(before),
  }
  await runIfDue(hourlyJob(jobPartsOf(site, { storage })), site)
  expect(cleared).toHaveLength(1)
  const nextTry = new Date(site.clock.now().getTime() + hour / 12).toISOString()
  const failed = { lastSuccess: null, failures: 1, lastError: { code: 'unexpected' }, nextTry }
  expect((await readJobs(site.db)).hourly).toMatchObject(failed)
  // Each by itself, with its cause.
  expect(site.takeLoggedProblems().map(({ err }) => err?.message)).toContain('No list today')
  site.clock.pass({ minutes: 5 })
  await runIfDue(hourlyJob(jobPartsOf(site)), site)
  expect((await readJobs(site.db)).hourly).toMatchObject({ lastSuccess: site.clock.now().toISOString(), failures: 0 })
})

test('a job is started once while it runs, and one that ends because the site stops has not failed', async () => {
  const site = await openTestApp('sqlite')
  const lastSuccess = site.clock.now().toISOString()
  for (const name of ['hourly', 'restore-test', 'integrity'] as const) await writeJob(site.db, name, { lastSuccess })
  await site.db.updateTable('site').set({ createdAt: '2026-01-01T00:00:00.000Z' }).execute()
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let end = (_reason: unknown) => {}
  const started: string[] = []
  const looked = vi.fn()
  const jobs = startJobs(
    jobPartsOf(site, {
      demoAdminActive: async () => looked() ?? false,
      startJob: ({ kind }) => {
        started.push(kind)
        return new Promise((_resolve, reject) => {
          end = reject
        })
      },
    }),
  )
  await vi.advanceTimersByTimeAsync(5_000)
  await vi.waitFor(() => expect(started).toEqual(['night']))
  const looks = looked.mock.calls.length
  await vi.advanceTimersByTimeAsync(3 * minute)
  const stopped = jobs.stop()
  end(new Problem('unexpected'))
  await stopped
  expect([started, looked.mock.calls.length - looks]).toEqual([['night'], 0])
  expect((await readJobs(site.db)).nightly).toMatchObject({ lastSuccess: null, failures: 0 })
})
