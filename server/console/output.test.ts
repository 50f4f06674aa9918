import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { progressLine } from './output.ts'

function output(isTTY: boolean) {
  let written = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += chunk
      done()
    },
  })
  return { stream: Object.assign(stream, { isTTY }) as unknown as NodeJS.WriteStream, written: () => written }
}

const names = { checking: 'Checking photos', storing: 'Storing photos' }

describe('the progress of a long command', () => {
  test('is a bar for a person', () => {
    const { stream, written } = output(true)
    const line = progressLine(names, stream)
    line.show('checking', 1, 2)
    line.show('checking', 2, 2)
    // Of which it is not known how much there is.
    line.show('storing', 5, 0)
    line.end()
    expect(written()).toBe(
      `\rChecking photos  [${'#'.repeat(15)}${'.'.repeat(15)}] 50%\rChecking photos  [${'#'.repeat(30)}] 100%\n`,
    )
  })

  test('is one plain line for each step in a log', () => {
    const { stream, written } = output(false)
    const line = progressLine(names, stream)
    for (const done of [1, 2, 3]) line.show('checking', done, 3)
    line.show('storing', 1, 3)
    line.end()
    expect(written()).toBe('Checking photos: 3\nStoring photos: 3\n')
  })
})
