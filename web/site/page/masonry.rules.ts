/** Heights are counted in fortieths of a column's width: a square photo is forty rows high, whatever the screen. */
const rowsPerWidth = 40
const gapRows = 4

export type Brick = { width: number; height: number; titleLength: number }
export type Place = { column: number; span: number; row: number; rows: number }

/** Longer titles than this take a second line at the size they are set in. */
const titleLine = 34

/** Photos that are so many times wider than high go across two columns, and across three. */
const acrossTwo = 1.9
const acrossThree = 3.2

/** What stands under the photo, in rows: the label, a title of one line or two, two lines of description. */
function captionRows({ titleLength }: Brick) {
  return titleLength > titleLine ? 15 : 12
}

/** How many columns a photo would like to go across: a panorama in one would be a strip. */
function preferredSpan({ width, height }: Brick, columns: number) {
  const ratio = width / height
  return Math.min(columns, ratio >= acrossThree ? 3 : ratio >= acrossTwo ? 2 : 1)
}

/** Wider ones are cut, so that they are no strips where there is no room beside them; web/styles.css does it. */
const widestInOne = 2

/** So much lower than the shortest column a card may begin, for the sake of its width. */
const tolerance = 24

/**
 * Where each card goes when the next one always takes the shortest column, or as many columns side by side as it would like
 * and as leave no hole above it, so that reading order stays the order of the list. Decided from the photos' proportions
 * alone, on the server too: nothing is measured, and nothing moves later.
 */
export function layBricks(bricks: readonly Brick[], columns: number): Place[] {
  const filled = Array.from({ length: columns }, () => 0)
  return bricks.map((brick) => {
    const shortest = Math.min(...filled)
    for (let span = preferredSpan(brick, columns); ; span -= 1) {
      const tops = Array.from({ length: columns - span + 1 }, (_, first) => Math.max(...filled.slice(first, first + span)))
      const row = Math.min(...tops)
      if (span > 1 && row > shortest + tolerance) continue
      const first = tops.indexOf(row)
      const ratio = Math.min(brick.width / brick.height, widestInOne * span)
      const rows = Math.round((rowsPerWidth * span + gapRows * (span - 1)) / ratio) + captionRows(brick) + gapRows
      filled.fill(row + rows, first, first + span)
      return { column: first + 1, span, row: row + 1, rows }
    }
  })
}
