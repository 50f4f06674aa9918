import { describe, expect, test } from 'vitest'
import { createEncoder, type Workshop } from './encoder.ts'
import type { PreparedImage } from './prepare-image.ts'

const prepared: PreparedImage = { hash: '', content: Buffer.alloc(0), contentType: '', width: 1, height: 1, placeholder: '' }
const variant = { width: 480, format: 'avif' } as const

/** A workshop that notes what it is given and works on it until it is told to finish. */
function slowWorkshop() {
  const begun: string[] = []
  const finish: (() => void)[] = []
  const work = (name: string) =>
    new Promise<void>((resolve) => {
      begun.push(name)
      finish.push(resolve)
    })
  const workshop: Workshop = {
    async prepareImage(file) {
      await work(`prepare ${file}`)
      return prepared
    },
    async copyImage(original) {
      await work(`copy ${original}`)
      return original
    },
    judgeImage: async () => prepared,
  }
  return { workshop, begun, finishOne: () => finish.shift()?.() }
}

describe('the encoder', () => {
  test('works on one photo at a time, and on what somebody waits for first', async () => {
    const { workshop, begun, finishOne } = slowWorkshop()
    const encoder = createEncoder(workshop)
    const loaded: string[] = []
    const load = (name: string) => async () => {
      loaded.push(name)
      return Buffer.from(name)
    }
    const all = Promise.all([
      encoder.copy(Buffer.from('a'), variant),
      encoder.copy(Buffer.from('b'), variant),
      encoder.prepare(load('c')),
      encoder.prepare(load('d')),
    ])
    expect(begun).toEqual(['copy a'])
    finishOne()
    await expect.poll(() => begun).toEqual(['copy a', 'prepare c'])
    // What waits is not in memory yet.
    expect(loaded).toEqual(['c'])
    finishOne()
    await expect.poll(() => begun).toEqual(['copy a', 'prepare c', 'prepare d'])
    finishOne()
    await expect.poll(() => begun).toEqual(['copy a', 'prepare c', 'prepare d', 'copy b'])
    finishOne()
    await all
  })

  test('goes on after one that fails', async () => {
    const workshop: Workshop = {
      prepareImage: async (file) => {
        if (file.length === 0) throw new Error('nothing there')
        return prepared
      },
      copyImage: async (original) => original,
      judgeImage: async () => prepared,
    }
    const encoder = createEncoder(workshop)
    const failing = encoder.prepare(async () => Buffer.alloc(0))
    const unreadable = encoder.prepare(() => Promise.reject(new Error('cannot be read')))
    const fine = encoder.prepare(async () => Buffer.from('x'))
    await expect(failing).rejects.toThrow('nothing there')
    await expect(unreadable).rejects.toThrow('cannot be read')
    expect(await fine).toBe(prepared)
  })
})
