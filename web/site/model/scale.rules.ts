import { type Language, localeOf } from '#contract/languages.ts'

const ratios = /(?<![\d.,:/])1\s*[:/]\s*(\d+(?:[.,]\d+)?)(?![\d:/])/g

/** The number in a scale such as 1:96, 1/35 or "HO (1:87)"; undefined where there is none, or more than one. */
export function ratioIn(scale: string | null) {
  const [match, another] = [...(scale ?? '').matchAll(ratios)]
  const ratio = Number(match?.[1]?.replace(',', '.'))
  return !another && ratio >= 1 ? ratio : undefined
}

/** What one centimetre of a model in that scale is of the original. */
export function oneCentimetreIn(ratio: number, language: Language) {
  const [amount, unit] = ratio < 100 ? [ratio, 'centimeter'] : [ratio / 100, 'meter']
  return new Intl.NumberFormat(localeOf(language), { style: 'unit', unit, maximumFractionDigits: 2 }).format(amount)
}

/** How many times larger a photo is than at first. */
export function enlargement({ zoom, fit }: { zoom: number; fit: number }, language: Language) {
  return `×${new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 1 }).format(zoom / fit)}`
}

/** Digits, with decimals behind a point. `1e3`, `1,5` and numbers too long to be exact are texts. */
const plainNumber = /^(?=.)\d{0,15}(\.\d{1,15})?$/

/** "120" is hours; anything else says what it says. */
export function timeSpentText(timeSpent: string, hours: (count: string) => string, language: Language) {
  if (!plainNumber.test(timeSpent)) return timeSpent
  return hours(new Intl.NumberFormat(localeOf(language)).format(Number(timeSpent)))
}
