import type { WorkStep } from '#contract/backup-status.ts'
import type { Counts } from '#contract/backups.ts'
import type { Progress } from '../backup/job.ts'

export function print(text: string) {
  process.stdout.write(`${text}\n`)
}

export function complain(text: string) {
  process.stderr.write(`${text}\n`)
}

/** "1 project", "2 projects". */
export function counted(count: number, noun: string) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function records({ projects, contacts }: Pick<Counts, 'projects' | 'contacts'>) {
  return `${counted(projects, 'project')}, ${counted(contacts, 'message')}`
}

export function numbers({ images, inquiryPhotos, ...others }: Counts) {
  const sent = inquiryPhotos > 0 ? `, ${counted(inquiryPhotos, 'photo')} of visitors` : ''
  return `${records(others)}, ${counted(images, 'photo')}${sent}`
}

export function megabytes(bytes: number) {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

const steps: Record<WorkStep, string> = {
  reading: 'Reading',
  writing: 'Writing',
  checking: 'Checking',
  storing: 'Storing photos',
  merging: 'Writing records',
}

export async function withProgress<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const line = progressLine(steps)
  return work(line.show).finally(line.end)
}

const width = 30

/** A bar for a person at a terminal, one line for each step for a log. */
export function progressLine<Step extends string>(names: Record<Step, string>, output: NodeJS.WriteStream = process.stdout) {
  let step: Step | undefined
  let shown = ''
  return {
    show(next: Step, done: number, total: number) {
      // How much it will be is not known.
      if (total === 0) return
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
