import type { Progress, Step } from './features/backups/progress.ts'

const names: Record<Step, string> = { writing: 'Writing photos', checking: 'Checking photos', storing: 'Storing photos' }
const width = 30

/** A bar for a person at a terminal, one line for each step for a log. */
export function progressLine(output: NodeJS.WriteStream = process.stdout): { show: Progress; end(): void } {
  let step: Step | undefined
  let shown = ''
  return {
    show(next, done, total) {
      if (!output.isTTY) {
        if (next !== step) output.write(`${names[next]}: ${total}\n`)
        step = next
        return
      }
      if (step && next !== step) output.write('\n')
      step = next
      const bar = barOf(next, done, total)
      if (bar !== shown) output.write(`\r${bar}`)
      shown = bar
    },
    end() {
      if (output.isTTY && step) output.write('\n')
    },
  }
}

function barOf(step: Step, done: number, total: number) {
  const part = total === 0 ? 1 : done / total
  const full = Math.round(part * width)
  return `${names[step].padEnd(16)} [${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.floor(part * 100)}%`
}
