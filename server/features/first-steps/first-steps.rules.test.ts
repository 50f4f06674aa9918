import { expect, test } from 'vitest'
import { languages } from '#contract/languages.ts'
import type { OwnFields } from '#contract/site-fields.ts'
import { stepsDone } from './first-steps.rules.ts'

/** A site as it is on the day its owner takes it over. */
const untouched: Parameters<typeof stepsDone>[0] = {
  fields: {},
  hasHeroPhoto: false,
  opened: false,
  projects: 12,
  demoProjects: 12,
  hasMail: false,
  backups: [],
  backupTakenAt: null,
}
const contact = { 'maker.brand': 'Ñandú', 'maker.email': 'ana@example.com', 'maker.phones.0': '+52 951 000 0000' }

const story: OwnFields = {
  ...Object.fromEntries(
    languages.flatMap((language) => [0, 1].map((index) => [`${language}.about.paragraphs.${index}`, 'My own life.'])),
  ),
  'maker.figures.years': '12',
  'maker.figures.models': '80',
  'maker.figures.awards': '3',
  'maker.figures.articles': '1',
}

const without = (left: string) => Object.fromEntries(Object.entries(story).filter(([field]) => field !== left)) as OwnFields

test.each<[string, Partial<typeof untouched>, string[]]>([
  ['a demo that was just taken over', {}, []],
  ['a site without a demo', { projects: 0, demoProjects: 0 }, ['demo']],
  ['name, e-mail and telephone', { fields: contact }, ['contact']],
  ['a name alone', { fields: { 'maker.brand': 'Ñandú' } }, []],
  ['words alone', { fields: { 'en.hero.title': 'Models' } }, []],
  ['an own photo on top of the page', { hasHeroPhoto: true }, ['hero']],
  ['the photo it came with, moved', { fields: { 'photos.hero.point': '50 30' } }, []],
  ['an own story and own figures', { fields: story }, ['story']],
  ['an own story with a figure that came with the site', { fields: without('maker.figures.awards') }, []],
  ['a story in one language', { fields: without('es.about.paragraphs.0') }, []],
  ['a site that was opened', { opened: true }, ['open']],
  ['an own model among those of the demo', { projects: 13 }, ['model']],
  ['a mail server', { hasMail: true }, ['mail']],
  ['an export', { backups: ['export_2026-05-01T12-00-00Z-x7k2.json'] }, []],
  ['a copy of the database', { backups: ['database_backup_2026-05-01T12-00-00Z-x7k2.sql'] }, ['backup']],
  ['a complete backup', { backups: ['complete_backup_2026-05-01T12-00-00Z-x7k2.zip'] }, ['backup']],
  ['a backup that was downloaded', { backupTakenAt: '2026-05-01T12:00:00.000Z' }, ['copy']],
])('%s', (_, facts, done) => {
  expect(stepsDone({ ...untouched, ...facts })).toEqual(done)
})
