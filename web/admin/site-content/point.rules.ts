/** Percent from the left and from the top. */
export function sidesOf(point: string): [number, number] {
  const [x = 50, y = 50] = point.split(' ').map(Number)
  return [x, y]
}

const bounded = (value: number) => Math.min(100, Math.max(0, Math.round(value)))

export function pointAt(left: number, top: number, box: { width: number; height: number }) {
  return `${bounded((left / box.width) * 100)} ${bounded((top / box.height) * 100)}`
}

export function withSide(point: string, side: 0 | 1, value: number) {
  const [x, y] = sidesOf(point)
  return side === 0 ? `${bounded(value)} ${y}` : `${x} ${bounded(value)}`
}

const steps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** After an arrow key; undefined for any other key. */
export function moved(point: string, key: string, by: number) {
  const step = steps[key]
  const [x, y] = sidesOf(point)
  return step && `${bounded(x + step[0] * by)} ${bounded(y + step[1] * by)}`
}
