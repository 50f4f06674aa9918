/** Heights are counted in fortieths of a column's width: a square photo is forty rows high, whatever the screen. */
const rowsPerWidth = 40
const gapRows = 4

export type Brick = { width: number; height: number; titleLength: number }
export type Place = { column: number; row: number; rows: number }

/** Longer titles than this take a second line at the size they are set in. */
const titleLine = 34

/** What stands under the photo, in rows: the label, a title of one line or two, two lines of description. */
function captionRows({ titleLength }: Brick) {
  return titleLength > titleLine ? 14 : 11
}

/**
 * Where each card goes when the next one always takes the shortest column, so that reading order stays the order of the
 * list. Decided from the photos' proportions alone, on the server too: nothing is measured, and nothing moves later.
 */
export function layBricks(bricks: readonly Brick[], columns: number): Place[] {
  const filled = Array.from({ length: columns }, () => 0)
  return bricks.map((brick) => {
    const column = filled.indexOf(Math.min(...filled))
    const rows = Math.round((brick.height / brick.width) * rowsPerWidth) + captionRows(brick) + gapRows
    const row = filled[column] ?? 0
    filled[column] = row + rows
    return { column: column + 1, row: row + 1, rows }
  })
}
