import { describe, expect, test } from 'vitest'
import { backupToTry, isTrialDue, trialAfter } from './restore-test.ts'

const now = new Date('2026-05-31T12:00:00.000Z')
const filename = 'complete_backup_2026-05-01T03-00-00Z-x7k2_nightly.zip'

describe('a trial is due', () => {
  test.each([
    ['when there was none', null, true],
    ['30 days after the last one', { filename, at: '2026-05-01T12:00:00.000Z', fault: null }, true],
    ['not a moment before', { filename, at: '2026-05-01T12:00:00.001Z', fault: null }, false],
  ])('%s', (_, trial, due) => {
    expect(isTrialDue({ trial }, now)).toBe(due)
  })

  test('the day after one that went wrong', () => {
    const trial = trialAfter(null, { filename, fault: { code: 'trial_differs' } }, now)
    expect(isTrialDue({ trial }, new Date('2026-06-01T11:59:59.999Z'))).toBe(false)
    expect(isTrialDue({ trial }, new Date('2026-06-01T12:00:00.000Z'))).toBe(true)
  })
})

test('what one has found wrong is not forgotten because there is no room for the next', () => {
  const noRoom = { filename: 'another.zip', fault: { code: 'disk_full' } }
  expect(trialAfter(null, noRoom, now)).toMatchObject({ filename: 'another.zip', fault: { code: 'disk_full', tries: 1 } })
  const wrong = trialAfter(null, { filename, fault: { code: 'trial_differs', details: { photo: 'a' } } }, now)
  const tomorrow = new Date('2026-06-01T12:00:00.000Z')
  const nextTryAt = '2026-06-02T12:00:00.000Z'
  const fault = { code: 'trial_differs', details: { photo: 'a' }, at: tomorrow.toISOString(), tries: 2, nextTryAt }
  expect(trialAfter(wrong, noRoom, tomorrow)).toEqual({ filename, at: now.toISOString(), fault })
  expect(trialAfter(wrong, { filename: 'another.zip' }, tomorrow)).toMatchObject({ filename: 'another.zip', fault: null })
})

describe('what is tried out', () => {
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
    expect(backupToTry(names, old)).toBe(byHand)
    expect(backupToTry(names.toSpliced(2, 1), old)).toBe(nightly('2026-05-30'))
  })

  test('is nothing while there is none, or on the first day of the site', () => {
    expect(backupToTry([], old)).toBeUndefined()
    expect(backupToTry(['database_backup_2026-05-01T03-00-00Z-aaaa.sqlite'], old)).toBeUndefined()
    expect(backupToTry([nightly('2026-05-31')], { siteCreatedAt: '2026-05-30T12:00:00.001Z', now })).toBeUndefined()
    // Also where one day's is kept and no more.
    expect(backupToTry([nightly('2026-05-31')], old)).toBe(nightly('2026-05-31'))
  })
})
