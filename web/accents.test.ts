import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type Accent, accents } from '#contract/site-fields.ts'
import { accentsOnInk } from './opening.ts'

const sheet = await readFile(new URL('./theme.css', import.meta.url), 'utf8')

/** The colours of a block of the sheet, by their names. */
function coloursOf(selector: string) {
  const block = sheet.slice(sheet.indexOf(`${selector} {`)).split('}')[0] ?? ''
  return Object.fromEntries([...block.matchAll(/--color-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour]))
}

const common = coloursOf('@theme')

/** As WCAG 2 counts it. */
function contrast(one: string, other: string) {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const coloursWith = (accent: Accent): Partial<Record<string, string>> => ({
  ...common,
  ...(accent !== 'brass' && coloursOf(`[data-accent="${accent}"]`)),
})

test('each accent has tones of its own', () => {
  const tones = accents.flatMap((accent) => ['brass', 'brass-light', 'brass-deep'].map((tone) => coloursWith(accent)[tone]))
  expect(new Set(tones).size).toBe(3 * accents.length)
})

test('the page of a site that is not open yet has the same', () => {
  expect(accentsOnInk).toEqual(Object.fromEntries(accents.map((accent) => [accent, coloursWith(accent)['brass-light']])))
})

describe.each(accents)('with the accent %s', (accent) => {
  test.each([
    ['brass-light', 'ink'],
    ['brass-light', 'ink-raised'],
    ['brass-deep', 'bone'],
    ['brass-deep', 'bone-raised'],
    // The words of a button, and of one that is pointed at.
    ['ink', 'brass'],
    ['ink', 'brass-light'],
    ['oxide-light', 'ink'],
    ['oxide', 'bone'],
    ['bone', 'oxide'],
  ])('words in %s can be read on %s', (words, ground) => {
    const colours = coloursWith(accent)
    expect(contrast(colours[words] ?? '', colours[ground] ?? '')).toBeGreaterThanOrEqual(4.5)
  })
})
