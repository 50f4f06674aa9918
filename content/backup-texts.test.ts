import { expect, test } from 'vitest'
import { backups as backupsEn } from './en/backups.ts'
import { backups as backupsEs } from './es/backups.ts'
import { sizeIn } from './sizes.ts'

test('a size is told in the unit that suits it', () => {
  expect([839, 2_400, 2_400_000].map((bytes) => sizeIn('en', bytes))).toEqual(['839 bytes', '2 kB', '2.4 MB'])
  expect(sizeIn('es-MX', 839)).toBe('839 bytes')
})

test('one photo is told as one, in both languages', () => {
  expect([1, 16].map(backupsEn.list.missing)).toEqual(['1 photo missing', '16 photos missing'])
  expect([1, 16].map(backupsEs.list.missing)).toEqual(['Falta 1 foto', 'Faltan 16 fotos'])
  expect(backupsEn.report.missing(1)).toMatch(/^One of its photos is not/)
  expect(backupsEs.report.missing(3)).toMatch(/^3 de sus fotos no están/)
  expect(backupsEn.preview.photos(1, 1)).toBe('The file has a different photo')
  expect(backupsEn.preview.photos(3, 5)).toBe('3 photos now, 5 in the file')
  expect(backupsEs.preview.photos(1, 0)).toBe('1 foto ahora, 0 en el archivo')
  const aside = { photos: 1, size: '2.4 MB', since: 'November 16, 2026', days: 30 }
  expect(backupsEn.info.quarantine(aside)).toMatch(/^One unused photo \(2\.4 MB\) has been in quarantine/)
  expect(backupsEs.info.quarantine({ ...aside, photos: 3 })).toMatch(/^3 fotos sin usar \(2\.4 MB\) están/)
})

test('what became of the texts of the site is told when something did', () => {
  for (const texts of [backupsEn, backupsEs]) expect(texts.report.site({ added: 0, broughtBack: 0 })).toBe('')
  expect(backupsEn.report.site({ added: 3, broughtBack: 2 })).toMatch(/^Site texts and photos: 3 added, 2 restored\./)
})

test('photos that are missing from a backup are told with their cures', () => {
  const none = { projects: [], senders: [], others: 0, site: false }
  expect(backupsEn.complete.missing(1, { ...none, projects: ['Galleon'] })).toBe(
    'A complete backup was created, but one photo is missing from it: its file is gone or damaged. It belongs to “Galleon”. Upload photos of projects again.',
  )
  expect(backupsEs.complete.missing(2, { ...none, senders: ['Ada'] })).toBe(
    'El respaldo completo se creó, pero le faltan 2 fotos: sus archivos faltan o están dañados. Dónde: el mensaje de «Ada». Para las fotos de mensajes, restaure un respaldo completo que las tenga.',
  )
})
