const mostNamed = 3

/** `“Galleon”, “Tender” and 4 others` */
export function titlesInWords(titles: readonly string[]) {
  const named = titles.slice(0, mostNamed).map((title) => `“${title}”`)
  const others = titles.length - named.length
  if (others > 0) return `${named.join(', ')} and ${others === 1 ? 'one other' : `${others} others`}`
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : (named[0] ?? '')
}
