// Line ends and other control characters, and those that turn the direction of what follows.
const unwanted = /[\p{Control}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu

/** For a header or a list: what a visitor or a mail server has written, in one line and not endless. */
export function oneLine(text: string, most: number) {
  // Split by a space of no width: a mail program would decode an encoded word (`=?utf-8?q?=41?=`) and show another name.
  const line = text.replace(unwanted, ' ').replaceAll('=?', '=\u200b?').replace(/ {2,}/g, ' ').trim()
  const characters = [...line]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line
}
