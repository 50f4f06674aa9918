import { expect, test, vi } from 'vitest'
import { createCache, type Read } from './cache.ts'

/** A read whose answers the test gives, one after the other. */
function aRead() {
  const answers: { resolve(data: string): void; reject(error: Error): void }[] = []
  const fetch = vi.fn(() => new Promise<string>((resolve, reject) => answers.push({ resolve, reject })))
  const read: Read<string> = { key: 'ships', fetch }
  return { read, fetch, answers }
}

test('what is there or on its way is not read again', async () => {
  const cache = createCache()
  const { read, fetch, answers } = aRead()
  const both = Promise.all([cache.ensure(read), cache.ensure(read)])
  expect(cache.get(read)).toEqual({ isFetching: true, isError: false })
  answers[0]?.resolve('galleon')
  expect(await both).toEqual(['galleon', 'galleon'])
  expect(await cache.ensure(read)).toBe('galleon')
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('a read that fails keeps the data, and does not throw', async () => {
  const cache = createCache()
  const { read, answers } = aRead()
  cache.put(read, 'galleon')
  const again = cache.read(read)
  answers[0]?.reject(new Error('no signal'))
  expect(await again).toBe('galleon')
  expect(cache.get(read)).toEqual({ data: 'galleon', isFetching: false, isError: true })
})

test('of two reads the later one counts, whichever is answered first', async () => {
  const cache = createCache()
  const { read, answers } = aRead()
  const both = Promise.all([cache.read(read), cache.read(read)])
  answers[1]?.resolve('new')
  answers[0]?.resolve('old')
  await both
  expect(cache.get(read)).toEqual({ data: 'new', isFetching: false, isError: false })
})

test('listeners hear of every change until they leave', async () => {
  const cache = createCache()
  const { read } = aRead()
  const listener = vi.fn()
  const leave = cache.subscribe(listener)
  cache.put(read, 'galleon')
  leave()
  cache.put(read, 'brig')
  expect(listener).toHaveBeenCalledTimes(1)
})
