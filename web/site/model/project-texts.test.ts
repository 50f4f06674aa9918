import { expect, test } from 'vitest'
import { admin as adminEn } from '#content/en/admin.ts'
import { openProject as openProjectEn } from '#content/en/open-project.ts'
import { admin as adminEs } from '#content/es/admin.ts'
import { openProject as openProjectEs } from '#content/es/open-project.ts'
import { aShownProject } from '#tests/factories.ts'
import { beginningOf, projectTexts } from './project-texts.ts'
import { timeSpentText } from './scale.rules.ts'

test('a project is told in Spanish where it has been translated, and in its own words elsewhere', () => {
  const project = aShownProject({ title: 'Tug', materials: 'Brass', translations: { es: { title: 'Remolcador' } } })
  expect(projectTexts(project, 'es')).toMatchObject({ title: 'Remolcador', materials: 'Brass' })
  expect(projectTexts(project, 'en')).toMatchObject({ title: 'Tug', materials: 'Brass' })
})

test('a description that is too long ends with a whole word', () => {
  expect(beginningOf('Built of brass.', 15)).toBe('Built of brass.')
  expect(beginningOf('Built of brass, and of pear.', 16)).toBe('Built of brass…')
  expect(beginningOf('Built of brass and pear.', 14)).toBe('Built of brass…')
  expect(beginningOf('x'.repeat(30), 20)).toBe('')
})

test.each([
  ['120', '120 hours', '120 horas'],
  ['1150', '1,150 hours', '1,150 horas'],
  ['1', '1 hour', '1 hora'],
  ['7.5', '7.5 hours', '7.5 horas'],
])('the time spent %j is a number of hours', (timeSpent, english, spanish) => {
  expect(timeSpentText(timeSpent, openProjectEn.hours, 'en')).toBe(english)
  expect(timeSpentText(timeSpent, openProjectEs.hours, 'es')).toBe(spanish)
  expect(timeSpentText(timeSpent, adminEn.projects.hours, 'en')).toBe(english)
  expect(timeSpentText(timeSpent, adminEs.projects.hours, 'es')).toBe(spanish)
})

test.each(['two winters', '1e3', '1,5', '1,150', '-5', '0x10', '9'.repeat(20), 'Infinity', ' '])(
  'the time spent %j says what it says',
  (timeSpent) => {
    expect(timeSpentText(timeSpent, openProjectEn.hours, 'en')).toBe(timeSpent)
    expect(timeSpentText(timeSpent, adminEs.projects.hours, 'es')).toBe(timeSpent)
  },
)
