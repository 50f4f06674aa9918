import { expect, test } from 'vitest'
import { backups as backupsEn } from '#content/en/backups.ts'
import { backups as backupsEs } from '#content/es/backups.ts'
import { dayIn, sizeIn } from './backup-texts.ts'

test('a day is that day in every time zone, in the words of the language', () => {
  expect(dayIn('en', '2026-11-16')).toBe('November 16, 2026')
  expect(dayIn('es-MX', '2026-11-16')).toBe('16 de noviembre de 2026')
  expect(dayIn('en', '2026-11-16T23:59:00.000Z')).toBe('November 16, 2026')
})

test('a size is told in the unit that suits it', () => {
  expect([839, 2_400, 2_400_000].map((bytes) => sizeIn('en', bytes))).toEqual(['839 bytes', '2 kB', '2.4 MB'])
  expect(sizeIn('es-MX', 839)).toBe('839 bytes')
})

test('one photo is told as one, in both languages', () => {
  expect([1, 16].map(backupsEn.list.missing)).toEqual(['1 photo missing', '16 photos missing'])
  expect([1, 16].map(backupsEs.list.missing)).toEqual(['Falta 1 foto', 'Faltan 16 fotos'])
  expect(backupsEn.report.missing(1)).toMatch(/^One of its photos is not/)
  expect(backupsEn.report.missing(3)).toMatch(/^3 of its photos are not/)
  expect(backupsEs.report.missing(1)).toMatch(/^Una de sus fotos no está/)
  expect(backupsEs.report.missing(3)).toMatch(/^3 de sus fotos no están/)
})

test('what became of the texts of the site is told when something did', () => {
  for (const texts of [backupsEn, backupsEs]) expect(texts.report.site({ added: 0, broughtBack: 0 })).toBe('')
  expect(backupsEn.report.site({ added: 3, broughtBack: 2 })).toMatch(/^Site texts and photos: 3 added, 2 restored\./)
  expect(backupsEs.report.site({ added: 3, broughtBack: 2 })).toMatch(/^Textos y fotos del sitio: 3 agregados, 2 restaurados\./)
})

test('photos in quarantine are told with their size, their day and how long they are kept', () => {
  const aside = (locale: string, photos: number) => ({
    photos,
    size: sizeIn(locale, 2_400_000),
    since: dayIn(locale, '2026-11-16'),
    days: 30,
  })
  expect(backupsEn.info.quarantine(aside('en', 3))).toBe(
    '3 unused photos (2.4 MB) have been in quarantine since November 16, 2026. They are kept for at least 30 days and come back if a project uses them.',
  )
  expect(backupsEn.info.quarantine(aside('en', 1))).toMatch(/^One unused photo \(2\.4 MB\) has been in quarantine/)
  expect(backupsEs.info.quarantine(aside('es-MX', 3))).toMatch(
    /^3 fotos sin usar \(2\.4 MB\) .* desde el 16 de noviembre de 2026\./,
  )
  expect(backupsEs.info.quarantine(aside('es-MX', 1))).toMatch(/^Una foto sin usar \(2\.4 MB\) está en cuarentena/)
})
