import type { Counts } from '#contract/backups.ts'
import type { Step } from '../backup/progress.ts'
import { progressLine } from './progress-line.ts'

export function print(text: string) {
  process.stdout.write(`${text}\n`)
}

export function complain(text: string) {
  process.stderr.write(`${text}\n`)
}

export function numbers({ projects, contacts, images, inquiryPhotos }: Counts) {
  const theirs = inquiryPhotos > 0 ? `, ${inquiryPhotos} photos of visitors` : ''
  return `${projects} projects, ${contacts} messages, ${images} photos${theirs}`
}

export function megabytes(bytes: number) {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

const steps: Record<Step, string> = {
  reading: 'Reading',
  writing: 'Writing photos',
  checking: 'Checking photos',
  storing: 'Storing photos',
  merging: 'Writing records',
}

/** Shows how far the work is while it goes on. */
export async function withProgress<T>(work: (show: ReturnType<typeof progressLine<Step>>['show']) => Promise<T>): Promise<T> {
  const line = progressLine(steps)
  return work(line.show).finally(line.end)
}
