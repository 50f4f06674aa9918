import { expect, test } from 'vitest'
import type { BackupState } from '#contract/backup-care.ts'
import { CallError } from '../../../api/call.ts'
import { NotDone, withOutcome } from './outcome.ts'

/** Work whose answer is lost, and a state that tells of its end once it was read so often. */
function playLost({ toldAfter = 1, onRead = () => {} }: { toldAfter?: number; onRead?(): void } = {}) {
  const under = new AbortController()
  let reads = 0
  const run = (lost: unknown = new TypeError('No answer')) =>
    withOutcome<string>(() => Promise.reject(lost), {
      onLost: () => {},
      readState: async () => {
        reads += 1
        onRead()
        return { working: null } as BackupState
      },
      endIn: () => (reads >= toldAfter ? 'done' : undefined),
      signal: under.signal,
      every: 0,
    })
  return { run, under, reads: () => reads }
}

test('the end of work whose answer was lost is found in the state', async () => {
  await expect(playLost({ toldAfter: 2 }).run()).resolves.toBe('done')
  await expect(playLost().run(new CallError(504, '', undefined))).resolves.toBe('done')
})

test('where the state tells of no work and no end, nothing was done', async () => {
  await expect(playLost({ toldAfter: 9 }).run()).rejects.toBeInstanceOf(NotDone)
})

test('a refusal is an answer', async () => {
  const { run, reads } = playLost()
  await expect(run(new CallError(500, '', undefined))).rejects.toBeInstanceOf(CallError)
  expect(reads()).toBe(0)
})

test('nobody asks for an end that is not waited for any more', async () => {
  const { run, under, reads } = playLost()
  under.abort(new Error('Closed.'))
  await expect(run()).rejects.toThrow('Closed.')
  expect(reads()).toBe(0)
})

test('an end that is told after the dialog was closed ends nothing', async () => {
  const { run, under } = playLost({ onRead: () => under.abort(new Error('Closed.')) })
  await expect(run()).rejects.toThrow('Closed.')
})
