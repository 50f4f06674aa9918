/** A row is a fortieth of a column's width: a square photo is forty rows high on any screen. */
const rowsPerWidth = 40
const gapRows = 4

export type Brick = { width: number; height: number; titleLength: number }
export type Place = { column: number; span: number; row: number; rows: number }

/** Longer titles take a second line. */
const titleLine = 34

/** Photos with such an aspect ratio span two columns, and three. */
const acrossTwo = 1.9
const acrossThree = 3.2

/** The rows of the label, a title of one or two lines, and two lines of description. */
function captionRows({ titleLength }: Brick) {
  return titleLength > titleLine ? 15 : 12
}

/** In one column a panorama would be a strip. */
function preferredSpan({ width, height }: Brick, columns: number) {
  const ratio = width / height
  return Math.min(columns, ratio >= acrossThree ? 3 : ratio >= acrossTwo ? 2 : 1)
}

/** Wider photos in one column are cropped by web/styles.css. */
const widestInOne = 2

/** How many rows below the shortest column a wide card may begin. */
const tolerance = 24

/**
 * Each card takes the shortest column, or as many adjacent ones as it prefers without leaving a hole above it, so that the
 * reading order stays the order of the list. Computed from aspect ratios on the server too: nothing is measured, and nothing
 * moves after loading.
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
