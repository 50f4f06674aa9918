/** As many letters of common width fit into a line of the hero; fewer of small ones, which are cut wider. */
const [most, mostSmall] = [18, 15]

/** Smaller than this nobody reads it from afar: a word that is longer still breaks. */
const smallest = 0.5

/** How much smaller than designed a title is set, so that it takes two lines at most. */
export function titleFit(title: string) {
  const words = title.split(' ')
  const longest = Math.min(
    ...words.map((_, at) => Math.max(widthOf(words.slice(0, at).join(' ')), widthOf(words.slice(at).join(' ')))),
  )
  return longest > most ? Math.max(smallest, mostSmall / longest) : 1
}

/** In letters: capitals, m and w are wide. */
const widthOf = (line: string) => line.length + (line.match(/[\p{Lu}mw]/gu)?.length ?? 0) / 2
