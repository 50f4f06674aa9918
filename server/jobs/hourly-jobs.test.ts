import { expect, test } from 'vitest'
import { openTestApp } from '#tests/test-app.ts'
import { emptyDatabase } from '#tests/test-database.ts'
import { startHourlyJobs } from './hourly-jobs.ts'

test('of several processes one runs the hourly jobs, and the others leave them to it', async () => {
  const place = await emptyDatabase('postgres')
  const here = await openTestApp('postgres', { place })
  const there = await openTestApp('postgres', { place, storage: here.storage })
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const lookedAt: string[] = []
  const watched = (name: string) => ({
    ...here.storage,
    async list(folder: string) {
      lookedAt.push(name)
      await held
      return here.storage.list(folder)
    },
  })

  const first = startHourlyJobs({ ...here, storage: watched('first') })
  await expect.poll(() => lookedAt, { timeout: 20_000 }).toEqual(['first'])
  await startHourlyJobs({ ...there, storage: watched('second') }).stop()
  expect(lookedAt).toEqual(['first'])

  letGo()
  await first.stop()
  const third = startHourlyJobs({ ...there, storage: watched('third') })
  await expect.poll(() => lookedAt, { timeout: 20_000 }).toContain('third')
  await third.stop()
  expect(lookedAt).not.toContain('second')
})
