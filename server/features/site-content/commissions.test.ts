import { expect, test } from 'vitest'
import { server as english } from '../../../content/en/server.ts'
import { server as spanish } from '../../../content/es/server.ts'
import { commissionsLine } from './own-site.rules.ts'

const line = (
  commissions: Parameters<typeof commissionsLine>[0]['commissions'],
  more: Partial<Parameters<typeof commissionsLine>[0]> = {},
) => commissionsLine({ commissions, sentence: '', texts: english.commissions, today: '2027-02-28', ...more })

test('nothing is said while commissions are simply taken', () => {
  expect(line({ state: 'open', from: '' })).toBe('')
  // A date of before, which is kept.
  expect(line({ state: 'open', from: '2028-01-01' })).toBe('')
})

test('what the maker adds is said with it', () => {
  const sentence = 'Two places are left this year.'
  expect(line({ state: 'open', from: '' }, { sentence })).toBe(`Taking commissions now. ${sentence}`)
  expect(line({ state: 'closed', from: '' }, { sentence })).toBe(`Not taking commissions at the moment. ${sentence}`)
  expect(line({ state: 'from', from: '2027-03-01' }, { sentence })).toBe(`Taking commissions from March 1, 2027. ${sentence}`)
})

test('it is said in Spanish too', () => {
  expect(line({ state: 'closed', from: '' }, { texts: spanish.commissions })).toBe('Por ahora no recibo encargos.')
  expect(line({ state: 'from', from: '2027-03-01' }, { texts: spanish.commissions })).toBe(
    'Recibo encargos a partir del 1 de marzo de 2027.',
  )
})

test('from the day on that was named commissions are taken, and what was said about the time before is not', () => {
  const from = { state: 'from', from: '2027-03-01' } as const
  expect(line(from, { today: '2027-02-28' })).toBe('Taking commissions from March 1, 2027.')
  for (const today of ['2027-03-01', '2027-03-02', '2031-01-01']) expect(line(from, { today, sentence: 'Later.' })).toBe('')
})

test('a day that was not named is none', () => {
  expect(line({ state: 'from', from: '' }, { sentence: 'Soon.' })).toBe('')
})
