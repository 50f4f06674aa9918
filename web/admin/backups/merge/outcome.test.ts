import { expect, test } from 'vitest'
import type { BackupStatus } from '#contract/backup-status.ts'
import { CallError } from '../../../api/call.ts'
import { beforehand, NotDone, withOutcome } from './outcome.ts'

/** Work whose answer is lost, and a state that tells of its end once it was read so often. */
function playLost({ toldAfter = 1, onRead = () => {} }: { toldAfter?: number; onRead?(): void } = {}) {
  const under = new AbortController()
  let reads = 0
  const run = (lost: unknown = new TypeError('No answer')) =>
    withOutcome<string>(() => Promise.reject(lost), {
      onLost: () => {},
      readStatus: async () => {
        reads += 1
        onRead()
        return { working: null } as BackupStatus
      },
      resultIn: () => (reads >= toldAfter ? 'done' : undefined),
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

test('a refusal is an answer, and what was not begun has no end', async () => {
  const { run, reads } = playLost()
  await expect(run(new CallError(500, '', undefined))).rejects.toBeInstanceOf(CallError)
  await expect(run(new NotDone('Nothing was begun.'))).rejects.toBeInstanceOf(NotDone)
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

test('without a connection nothing is begun, and a refusal stays what it is', async () => {
  await expect(beforehand(Promise.reject(new TypeError('No answer')))).rejects.toBeInstanceOf(NotDone)
  await expect(beforehand(Promise.reject(new CallError(500, '', undefined)))).rejects.toBeInstanceOf(CallError)
})
