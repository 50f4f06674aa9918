import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { pause } from './pause.ts'

test('an aborted signal rejects at once', async () => {
  const reason = new Error('Closed.')
  await expect(pause(60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
})

test('an abort ends the wait, and no listener is left', async () => {
  const controller = new AbortController()
  await pause(0, controller.signal)
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  const waiting = pause(60_000, controller.signal)
  controller.abort(new Error('Closed.'))
  await expect(waiting).rejects.toThrow('Closed.')
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
})
