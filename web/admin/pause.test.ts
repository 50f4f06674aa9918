import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { pause } from './pause.ts'

test('nobody waits for what was given up already', async () => {
  const reason = new Error('Closed.')
  await expect(pause(60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
})

test('a wait ends when it is given up, and leaves nothing behind', async () => {
  const under = new AbortController()
  await pause(0, under.signal)
  expect(getEventListeners(under.signal, 'abort')).toHaveLength(0)
  const waiting = pause(60_000, under.signal)
  under.abort(new Error('Closed.'))
  await expect(waiting).rejects.toThrow('Closed.')
  expect(getEventListeners(under.signal, 'abort')).toHaveLength(0)
})
