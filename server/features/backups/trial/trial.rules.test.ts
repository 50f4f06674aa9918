import { describe, expect, test } from 'vitest'
import { faultAfter } from '../care/faults.rules.ts'
import { backupToTry, isTrialDue, waitMinutes } from './trial.rules.ts'

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
    const code = 'trial_differs'
    const fault = faultAfter(null, { code }, now, waitMinutes)
    const trial = { filename, at: now.toISOString(), fault }
    expect(isTrialDue({ trial }, new Date('2026-06-01T11:59:59.999Z'))).toBe(false)
    expect(isTrialDue({ trial }, new Date('2026-06-01T12:00:00.000Z'))).toBe(true)
  })
})

describe('what is tried out', () => {
  const nightly = (date: string) => `complete_backup_${date}T03-00-00Z-x7k2_nightly.zip`

  test('is the newest whole complete backup, whoever made it', () => {
    const byHand = 'complete_backup_2026-05-31T11-00-00Z-aaaa.zip'
    const names = [
      'export_2026-05-31T11-30-00Z-bbbb.json',
      'complete_backup_2026-05-31T11-20-00Z-cccc_without_2_photos.zip',
      byHand,
      nightly('2026-05-30'),
    ]
    expect(backupToTry(names, now)).toBe(byHand)
    expect(backupToTry(names.toSpliced(2, 1), now)).toBe(nightly('2026-05-30'))
  })

  test('is nothing while there is none, or the first was made today', () => {
    expect(backupToTry([], now)).toBeUndefined()
    expect(backupToTry(['database_backup_2026-05-01T03-00-00Z-aaaa.sqlite'], now)).toBeUndefined()
    expect(backupToTry([nightly('2026-05-31')], now)).toBeUndefined()
    expect(backupToTry([nightly('2026-05-31'), nightly('2026-05-30')], now)).toBe(nightly('2026-05-31'))
  })
})
