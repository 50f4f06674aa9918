/** "November 16, 2026", as the language writes it: that day, wherever the reader is. */
export function dayIn(locale: string, day: string) {
  const midnight = new Date(`${day.slice(0, 'yyyy-mm-dd'.length)}T00:00:00Z`)
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(midnight)
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** "1.4 MB" or "839 bytes", as the language writes it. */
export function sizeIn(locale: string, bytes: number) {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const unitDisplay = power === 0 ? 'long' : 'short'
  const style = { style: 'unit', unit: units[power], unitDisplay, maximumFractionDigits: power > 1 ? 1 : 0 } as const
  return new Intl.NumberFormat(locale, style).format(bytes / 1000 ** power)
}
