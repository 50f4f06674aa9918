const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** "1.4 MB" or "839 bytes", as the language writes it. */
export function sizeIn(locale: string, bytes: number) {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const unitDisplay = power === 0 ? 'long' : 'short'
  const style = { style: 'unit', unit: units[power], unitDisplay, maximumFractionDigits: power > 1 ? 1 : 0 } as const
  return new Intl.NumberFormat(locale, style).format(bytes / 1000 ** power)
}
