const width = 30

/** A bar for a person at a terminal, one line for each step for a log. */
export function progressLine<Step extends string>(names: Record<Step, string>, output: NodeJS.WriteStream = process.stdout) {
  let step: Step | undefined
  let shown = ''
  return {
    show(next: Step, done: number, total: number) {
      if (!output.isTTY) {
        if (next !== step) output.write(`${names[next]}: ${total}\n`)
        step = next
        return
      }
      if (step && next !== step) output.write('\n')
      step = next
      const bar = barOf(names[next], done, total)
      if (bar !== shown) output.write(`\r${bar}`)
      shown = bar
    },
    end() {
      if (output.isTTY && step) output.write('\n')
    },
  }
}

function barOf(name: string, done: number, total: number) {
  const part = total === 0 ? 1 : done / total
  const full = Math.round(part * width)
  return `${name.padEnd(16)} [${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.floor(part * 100)}%`
}
