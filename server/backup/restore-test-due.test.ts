import { describe, expect, test } from 'vitest'
import { backupToTest, isRestoreTestDue, restoreTestAfter } from './restore-test.ts'

const now = new Date('2026-05-31T12:00:00.000Z')
const filename = 'complete_backup_2026-05-01T03-00-00Z-x7k2_nightly.zip'

describe('a restore test is due', () => {
  test.each([
    ['when there was none', null, true],
    ['30 days after the last one', { filename, at: '2026-05-01T12:00:00.000Z', fault: null }, true],
    ['not a moment before', { filename, at: '2026-05-01T12:00:00.001Z', fault: null }, false],
  ])('%s', (_, trial, due) => {
    expect(isRestoreTestDue({ trial }, now)).toBe(due)
  })

  test('the day after one that went wrong', () => {
    const result = restoreTestAfter(null, { filename, fault: { code: 'trial_differs' } }, now)
    expect(isRestoreTestDue({ trial: result }, new Date('2026-06-01T11:59:59.999Z'))).toBe(false)
    expect(isRestoreTestDue({ trial: result }, new Date('2026-06-01T12:00:00.000Z'))).toBe(true)
  })
})

test('what one has found wrong is not forgotten because there is no room for the next', () => {
  const noRoom = { filename: 'another.zip', fault: { code: 'disk_full' } }
  expect(restoreTestAfter(null, noRoom, now)).toMatchObject({ filename: 'another.zip', fault: { code: 'disk_full', tries: 1 } })
  const wrong = restoreTestAfter(null, { filename, fault: { code: 'trial_differs', details: { photo: 'a' } } }, now)
  const tomorrow = new Date('2026-06-01T12:00:00.000Z')
  const nextTryAt = '2026-06-02T12:00:00.000Z'
  const fault = { code: 'trial_differs', details: { photo: 'a' }, at: tomorrow.toISOString(), tries: 2, nextTryAt }
  expect(restoreTestAfter(wrong, noRoom, tomorrow)).toEqual({ filename, at: now.toISOString(), fault })
  expect(restoreTestAfter(wrong, { filename: 'another.zip' }, tomorrow)).toMatchObject({ filename: 'another.zip', fault: null })
})

describe('what is tested', () => {
  const old = { siteCreatedAt: '2026-05-30T12:00:00.000Z', now }
  const nightly = (date: string) => `complete_backup_${date}T03-00-00Z-x7k2_nightly.zip`

  test('is the newest whole complete backup, whoever made it', () => {
    const byHand = 'complete_backup_2026-05-31T11-00-00Z-aaaa.zip'
    const names = [
      'export_2026-05-31T11-30-00Z-bbbb.json',
      'complete_backup_2026-05-31T11-20-00Z-cccc_without_2_photos.zip',
      byHand,
      nightly('2026-05-30'),
    ]
    expect(backupToTest(names, old)).toBe(byHand)
    expect(backupToTest(names.toSpliced(2, 1), old)).toBe(nightly('2026-05-30'))
  })

  test('is nothing while there is none, or on the first day of the site', () => {
    expect(backupToTest([], old)).toBeUndefined()
    expect(backupToTest(['database_backup_2026-05-01T03-00-00Z-aaaa.sqlite'], old)).toBeUndefined()
    expect(backupToTest([nightly('2026-05-31')], { siteCreatedAt: '2026-05-30T12:00:00.001Z', now })).toBeUndefined()
    // Also where one day's is kept and no more.
    expect(backupToTest([nightly('2026-05-31')], old)).toBe(nightly('2026-05-31'))
  })
})
