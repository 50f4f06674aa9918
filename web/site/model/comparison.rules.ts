type Size = { width: number; height: number }

/** Photos from one tripod differ by less than this. */
const alikeWithin = 0.04

/**
 * The frame of two photos. Alike, it has their shape and they fill it; where they differ it lies between their shapes, and
 * each is shown whole.
 */
export function frameOf(before: Size | null, after: Size | null) {
  const ratios = [before, after].flatMap((size) => (size ? [size.width / size.height] : []))
  const [first = 1.5, second = first] = ratios
  return { ratio: Math.sqrt(first * second), alike: Math.abs(Math.log(first / second)) < alikeWithin }
}
