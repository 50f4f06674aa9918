import { expect, test } from 'vitest'
import { ownOr } from './hero-photo.tsx'

const built = { src: '/built.jpeg', width: 2400, height: 1350, placeholder: '', avif: '', webp: '', jpeg: '' }
const address = `/objects/${'a'.repeat(64)}`
const widthsOf = (width: number, shape?: 'wide' | 'tall') => {
  const { avif } = ownOr(built, { address, facts: { width, height: 900, placeholder: '' } }, shape)
  return avif.split(', ').map((copy) => copy.replace(/^.*w=(\d+)&f=avif (\d+)w$/, '$1 is $2'))
}

test('an own photo is offered in every width it has, and the last time as wide as it is', () => {
  expect(widthsOf(4_000)).toEqual(['480 is 480', '960 is 960', '1600 is 1600', '2400 is 2400'])
  expect(widthsOf(2_400)).toHaveLength(4)
  expect(widthsOf(1_500)).toEqual(['480 is 480', '960 is 960', '1600 is 1500'])
  expect(widthsOf(300)).toEqual(['480 is 300'])
  expect(widthsOf(800, 'tall')).toEqual(['480 is 480', '750 is 750', '960 is 800'])
})

test('without one, or while its file is not here, the built one is shown', () => {
  expect(ownOr(built, undefined)).toBe(built)
  expect(ownOr(built, { point: '50% 30%' })).toBe(built)
})
