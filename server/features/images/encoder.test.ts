import { describe, expect, test } from 'vitest'
import { createEncoder, hasRoomForAnother } from './encoder.ts'
import type { PreparedImage, RunTask } from './image-tasks.ts'

const prepared: PreparedImage = { hash: '', content: Buffer.alloc(0), contentType: '', width: 1, height: 1, placeholder: '' }
const variant = { width: 480, format: 'avif' } as const

/** Notes what it is given and works on it until it is told to finish. */
function slowTasks() {
  const begun: string[] = []
  const finish: (() => void)[] = []
  const run = (name: string, file: unknown) =>
    new Promise((resolve) => {
      begun.push(`${name} ${file}`)
      finish.push(() => resolve(file))
    })
  return { run: run as RunTask, begun, finishOne: () => finish.shift()?.() }
}

describe('the encoder', () => {
  test('works on one photo at a time, and on what somebody waits for first', async () => {
    const { run, begun, finishOne } = slowTasks()
    const encoder = createEncoder({ run })
    const loaded: string[] = []
    const load = (name: string) => async () => {
      loaded.push(name)
      return Buffer.from(name)
    }
    const all = Promise.all([
      encoder.makeVariant(Buffer.from('a'), variant),
      encoder.makeVariant(Buffer.from('b'), variant),
      encoder.prepare(load('c')),
      encoder.prepare(load('d')),
    ])
    expect(begun).toEqual(['makeVariant a'])
    finishOne()
    await expect.poll(() => begun).toEqual(['makeVariant a', 'prepareImage c'])
    // What waits is not in memory yet.
    expect(loaded).toEqual(['c'])
    finishOne()
    await expect.poll(() => begun).toEqual(['makeVariant a', 'prepareImage c', 'prepareImage d'])
    finishOne()
    await expect.poll(() => begun).toEqual(['makeVariant a', 'prepareImage c', 'prepareImage d', 'makeVariant b'])
    finishOne()
    await all
  })

  test('lets the maker wait for no visitor but the one in progress, and the copies for one at a time', async () => {
    const { run, begun, finishOne } = slowTasks()
    const encoder = createEncoder({ run })
    const visitors = (names: string) =>
      Array.from(names, (name) => encoder.prepareVisitors(async () => Buffer.from(name), 2_400))
    const all = Promise.all([
      ...visitors('abcd'),
      encoder.makeVariant(Buffer.from('e'), variant),
      encoder.makeVariant(Buffer.from('f'), variant),
      ...Array.from('ghi', (name) => encoder.prepare(async () => Buffer.from(name))),
    ])
    const order = Array.from('aghiebfcd', (name) => {
      const task = 'ef'.includes(name) ? 'makeVariant' : 'ghi'.includes(name) ? 'prepareImage' : 'prepareVisitorsImage'
      return `${task} ${name}`
    })
    for (const count of order.keys()) {
      await expect.poll(() => begun.length).toBe(count + 1)
      finishOne()
    }
    await all
    expect(begun).toEqual(order)
  })

  test('goes on after one that fails', async () => {
    const run = async (_name: string, file: Buffer) => {
      if (file.length === 0) throw new Error('nothing there')
      return prepared
    }
    const encoder = createEncoder({ run: run as RunTask })
    const failing = encoder.prepare(async () => Buffer.alloc(0))
    const unreadable = encoder.prepare(() => Promise.reject(new Error('cannot be read')))
    const fine = encoder.prepare(async () => Buffer.from('x'))
    await expect(failing).rejects.toThrow('nothing there')
    await expect(unreadable).rejects.toThrow('cannot be read')
    expect(await fine).toBe(prepared)
  })
})

describe('photos of a restore', () => {
  const judging = (encoder: ReturnType<typeof createEncoder>, names: string) =>
    Promise.all(Array.from(names, (name) => encoder.judge(Buffer.from(name))))

  test('are judged by several processes, and never before what somebody waits for', async () => {
    const first = slowTasks()
    const second = slowTasks()
    let started = 0
    const another = () => {
      started += 1
      return { run: second.run }
    }
    const encoder = createEncoder({ run: first.run, another, mayHelp: (helping) => helping < 1, helpAfter: 0 })
    const all = Promise.all([judging(encoder, 'abcd'), encoder.prepare(async () => Buffer.from('e'))])
    expect([first.begun, second.begun]).toEqual([['judgeImage a'], ['judgeImage b']])
    first.finishOne()
    await expect.poll(() => first.begun).toEqual(['judgeImage a', 'prepareImage e'])
    second.finishOne()
    await expect.poll(() => second.begun).toEqual(['judgeImage b', 'judgeImage c'])
    second.finishOne()
    await expect.poll(() => second.begun).toEqual(['judgeImage b', 'judgeImage c', 'judgeImage d'])
    second.finishOne()
    first.finishOne()
    await all
    // The one that has helped before does so again.
    const again = judging(encoder, 'fg')
    await expect.poll(() => [first.begun.at(-1), second.begun.at(-1)]).toEqual(['judgeImage f', 'judgeImage g'])
    first.finishOne()
    second.finishOne()
    await again
    expect(started).toBe(1)
  })

  test.each([
    ['there is memory or a core for one only', { mayHelp: (): boolean => false, helpAfter: 0 }],
    ['there are few of them', { mayHelp: (): boolean => true }],
  ])('are judged one at a time where %s', async (_why, options) => {
    const { run, begun, finishOne } = slowTasks()
    const encoder = createEncoder({ run, another: () => ({ run }), ...options })
    const all = judging(encoder, 'ab')
    expect(begun).toEqual(['judgeImage a'])
    finishOne()
    await expect.poll(() => begun).toEqual(['judgeImage a', 'judgeImage b'])
    finishOne()
    await all
  })

  test.each([
    [0, 1, 8_000, false],
    [0, 2, 400, false],
    [0, 2, 600, true],
    [1, 2, 8_000, false],
    [1, 4, 8_000, true],
    [3, 64, 64_000, false],
  ])('with %i helping on %i cores and %i MB free, another one: %s', (helping, cores, megabytes, mayHelp) => {
    expect(hasRoomForAnother(helping, { cores, bytes: megabytes * 1024 * 1024 })).toBe(mayHelp)
  })
})
