import { expect, test } from 'vitest'
import type { SiteCheck } from '#contract/checks.ts'
import { checkWords } from './check-words.ts'
import { backups as backupsEn } from './en/backups.ts'
import { checks as checksEn } from './en/checks.ts'
import { problemTexts as problemsEn } from './en/problems.ts'
import { backups as backupsEs } from './es/backups.ts'
import { checks as checksEs } from './es/checks.ts'
import { problemTexts as problemsEs } from './es/problems.ts'

const english = { locale: 'en', checks: checksEn, backups: backupsEn, problems: problemsEn }
const spanish = { locale: 'es-MX', checks: checksEs, backups: backupsEs, problems: problemsEs }

const found = (finding: string, values: SiteCheck['values'] = {}): SiteCheck => ({
  ...{ check: 'disk', level: 'amber', finding, values },
})

test('a finding is told with its values and with what to do, in both languages', () => {
  const low = found('disk_low', { free: 61_000_000, needed: 2_500_000_000 })
  expect(checkWords(low, english)).toEqual({
    says: 'Only 61 MB left. Backups and updates need about 2.5 GB.',
    todo: 'Free some space on the server, keep fewer backups, or get a larger disk.',
  })
  expect(checkWords(low, spanish).says).toBe('Solo quedan 61 MB. Los respaldos y las actualizaciones necesitan unos 2.5 GB.')
  const ended = found('version_ended', { release: '0.1.0', node: '20.19.0', until: '2026-04-30' })
  expect(checkWords(ended, english).says).toContain('since April 30, 2026')
  expect(checkWords(ended, spanish).says).toContain('desde el 30 de abril de 2026')
  expect(checkWords(found('clock_right'), spanish).todo).toBeUndefined()
})

test('what one and what many are called', () => {
  const failed = (mails: number) => found('mail_failed', { mails, reason: null })
  expect(checkWords(failed(1), english).says).toBe('One email could not be sent, and will not be tried again.')
  expect(checkWords(failed(3), spanish).says).toBe('3 correos no se pudieron enviar y no se volverá a intentar.')
  const broken = (missing: number, damaged: number) => found('photos_broken', { missing, damaged })
  expect(checkWords(broken(2, 1), english).says).toBe('The files of photos are lost: 2 missing and 1 damaged.')
  expect(checkWords(broken(0, 1), spanish).says).toBe('Se perdieron archivos de fotos: hay una dañada.')
  const owners = found('accounts_locked_out', { names: ['Ana', 'Luis'] })
  expect(checkWords(owners, spanish).says).toBe('La contraseña es la única forma de entrar para Ana y Luis.')
})

test('a check that failed itself says so, also one that another release has found', () => {
  expect(checkWords(found('unreadable', { reason: 'EIO' }), english).says).toBe('This could not be checked. (EIO)')
  expect(checkWords(found('disk_on_fire'), spanish).says).toBe('No se pudo revisar. (disk_on_fire)')
})
