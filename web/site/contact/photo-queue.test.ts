import { expect, test } from 'vitest'
import { maxImageBytes } from '#contract/contact-fields.ts'
import { CallError } from '../../api/call.ts'
import { canRetry, holdPhotos, photoFaultOf, refusalOf, roomIn } from './photo-queue.ts'

const photo = (name: string, type = 'image/jpeg') => new File(['x'], name, { type })
const states = (held: ReturnType<typeof holdPhotos>) => held.photos().map(({ name, state }) => `${name} ${state}`)
const refusal = (code: string) => new CallError(415, '', { message: '', code })

/** Sends what it is told to, when it is told to. */
function heldBack() {
  const waiting = new Map<string, { resolve(ticket: string): void; reject(error: unknown): void }>()
  const begun: string[] = []
  const held = holdPhotos({
    send: (file, { signal, onProgress }) =>
      new Promise((resolve, reject) => {
        begun.push(file.name)
        onProgress(0.5)
        waiting.set(file.name, { resolve, reject })
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  })
  const arrive = (name: string, ticket = `ticket of ${name}`) => waiting.get(name)?.resolve(ticket)
  const fail = (name: string, error: unknown) => waiting.get(name)?.reject(error)
  return { held, begun, arrive, fail }
}

test('photos are sent one after the other, and the message waits for those on their way', async () => {
  const { held, begun, arrive } = heldBack()
  expect(held.add([photo('a'), photo('b')])).toBe(true)
  await expect.poll(() => begun).toEqual(['a'])
  expect(held.photos()[0]).toMatchObject({ state: 'sending', sent: 0.5 })
  const settled = held.settled()
  arrive('a')
  await expect.poll(() => begun).toEqual(['a', 'b'])
  arrive('b')
  expect(await settled).toEqual({ ids: [1, 2], tickets: ['ticket of a', 'ticket of b'] })
})

test('one that fails holds up none, can be tried again if that may help', async () => {
  const { held, begun, arrive, fail } = heldBack()
  held.add([photo('a'), photo('b'), photo('c', 'application/pdf')])
  await expect.poll(() => begun).toEqual(['a'])
  fail('a', new TypeError('No answer'))
  await expect.poll(() => begun).toEqual(['a', 'b'])
  fail('b', refusal('image_broken'))
  expect(await held.settled()).toEqual({ ids: [1, 2, 3], tickets: [] })
  expect(held.photos().map(({ fault }) => fault)).toEqual(['failed', 'broken', 'notAPhoto'])

  held.retry(1)
  await expect.poll(() => begun).toEqual(['a', 'b', 'a'])
  arrive('a')
  expect(await held.settled()).toEqual({ ids: [1, 2, 3], tickets: ['ticket of a'] })
})

test('one that is removed on its way is stopped and not sent, and the message waits for it no longer', async () => {
  const { held, begun, arrive } = heldBack()
  held.add([photo('a'), photo('b')])
  await expect.poll(() => begun).toEqual(['a'])
  const settled = held.settled()
  held.remove([1])
  await expect.poll(() => begun).toEqual(['a', 'b'])
  arrive('b')
  expect(await settled).toEqual({ ids: [2], tickets: ['ticket of b'] })
})

test('a line that drops ends the upload at once, and what failed goes up again when the line is back', async () => {
  const { held, begun, arrive } = heldBack()
  held.add([photo('a'), photo('b', 'text/plain')])
  await expect.poll(() => begun).toEqual(['a'])
  held.interrupt()
  expect(await held.settled()).toEqual({ ids: [1, 2], tickets: [] })
  expect(held.photos().map(({ fault }) => fault)).toEqual(['failed', 'notAPhoto'])
  held.resume()
  await expect.poll(() => begun).toEqual(['a', 'a'])
  arrive('a')
  expect(await held.settled()).toEqual({ ids: [1, 2], tickets: ['ticket of a'] })
})

test('there is room for four, and those that can never be taken need none', async () => {
  const { held } = heldBack()
  expect(held.add([photo('no', 'text/plain'), photo('a'), photo('b')])).toBe(true)
  expect(roomIn(held.photos())).toBe(2)
  expect(held.add([photo('c'), photo('d'), photo('e')])).toBe(false)
  expect(roomIn(held.photos())).toBe(0)
  expect(states(held).map((each) => each.split(' ')[0])).toEqual(['no', 'a', 'b', 'c', 'd'])
})

test('a line that has gone silent is given up', async () => {
  const held = holdPhotos({
    timeout: 20,
    send: (_file, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  held.add([photo('a')])
  expect(await held.settled()).toEqual({ ids: [1], tickets: [] })
  expect(held.photos()[0]).toMatchObject({ state: 'refused', fault: 'failed' })
})

const jpeg = { name: 'tug.jpg', type: 'image/jpeg', size: 1000 }

test('what can never be taken is refused before it is sent, and the rest is for the server to judge', () => {
  expect(refusalOf(jpeg)).toBeUndefined()
  expect(refusalOf({ ...jpeg, type: '' })).toBeUndefined()
  expect(refusalOf({ ...jpeg, size: maxImageBytes })).toBeUndefined()
  expect(refusalOf({ ...jpeg, size: maxImageBytes + 1 })).toBe('tooLarge')
  expect(refusalOf({ name: 'IMG_2041.HEIC', type: '', size: 1000 })).toBe('heic')
  expect(refusalOf({ name: 'photo', type: 'image/heif', size: 1000 })).toBe('heic')
  expect(refusalOf({ name: 'plan.pdf', type: 'application/pdf', size: 1000 })).toBe('notAPhoto')
})

test('what the server refuses has its own sentence, and only what may go better can be tried again', () => {
  const codes = ['image_too_many_pixels', 'not_an_image', 'heic_not_supported', 'image_broken', 'too_many_photos', undefined]
  const faults = codes.map(photoFaultOf)
  expect(faults).toEqual(['tooLarge', 'notAPhoto', 'heic', 'broken', 'full', 'failed'])
  expect(faults.filter(canRetry)).toEqual(['full', 'failed'])
  expect(photoFaultOf('of_a_newer_release')).toBe('failed')
})
