import { expect, test } from 'vitest'
import { en } from '#content/en.ts'
import { es } from '#content/es.ts'
import { aStoredProject } from '#tests/factories.ts'
import { projectTexts, timeSpentText } from './project-texts.ts'

const shown = { version: 1, image: null, beforeImage: null, afterImage: null }

test('a project is told in Spanish where it has been translated, and in its own words elsewhere', () => {
  const project = { ...aStoredProject({ title: 'Tug', materials: 'Brass', titleEs: 'Remolcador' }), ...shown }
  expect(projectTexts(project, 'es')).toMatchObject({ title: 'Remolcador', materials: 'Brass' })
  expect(projectTexts(project, 'en')).toMatchObject({ title: 'Tug', materials: 'Brass' })
})

test('time spent is hours when it is a number, and what it says when it is not', () => {
  expect(timeSpentText('120', en.project.hours, 'en')).toBe('120 hours')
  expect(timeSpentText('120', es.project.hours, 'es')).toBe('120 horas')
  expect(timeSpentText('1150', en.project.hours, 'en')).toBe('1,150 hours')
  expect(timeSpentText('1', en.project.hours, 'en')).toBe('1 hour')
  expect(timeSpentText('1', es.project.hours, 'es')).toBe('1 hora')
  expect(timeSpentText('two winters', en.project.hours, 'en')).toBe('two winters')
  expect(timeSpentText(' ', en.project.hours, 'en')).toBe(' ')
})
