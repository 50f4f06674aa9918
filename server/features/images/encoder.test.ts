import { describe, expect, test } from 'vitest'
import { createEncoder } from './encoder.ts'
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
  test('works on one photo at a time, and on what a person waits for first', async () => {
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
