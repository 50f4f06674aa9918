import { describe, expect, test } from 'vitest'
import { CallError } from '../../api/call.ts'
import { queuePhotos } from './photo-uploads.ts'
import type { Refusal } from './send-photo.ts'

const aFile = (name: string, type = 'image/jpeg') => new File(['x'], name, { type })
const files = (...names: string[]) => names.map((name) => aFile(name))

/** A queue whose photos arrive and fail when the test says so. */
function playQueue(verdict: (address: string) => Refusal | undefined = () => undefined) {
  const underWay = new Map<string, { arrive(): void; fail(error: unknown): void; signal: AbortSignal }>()
  const arrived: [string, number][] = []
  const queue = queuePhotos({
    send: (file, { signal }) =>
      new Promise((resolve, reject) =>
        underWay.set(file.name, { arrive: () => resolve(`/objects/${file.name}`), fail: reject, signal }),
      ),
    onArrived(address, number) {
      arrived.push([address, number])
      return verdict(address)
    },
    atOnce: 2,
  })
  const states = () => queue.get().map(({ name, state }) => `${name} ${state}`)
  return { queue, underWay, arrived, states }
}

describe('many photos at once', () => {
  test('are sent two at a time, and go when they have arrived', async () => {
    const { queue, underWay, arrived, states } = playQueue()
    queue.add(files('a', 'b', 'c'), 24)
    expect(states()).toEqual(['a sending', 'b sending', 'c waiting'])
    underWay.get('b')?.arrive()
    await expect.poll(states).toEqual(['a sending', 'c sending'])
    expect(arrived).toEqual([['/objects/b', 2]])
  })

  test('that fail or are refused do not hold up the others', async () => {
    const { queue, underWay, states } = playQueue()
    queue.add([aFile('phone.heic', 'image/heic'), ...files('a', 'b', 'c')], 24)
    expect(states()).toEqual(['phone.heic refused', 'a sending', 'b sending', 'c waiting'])
    underWay.get('a')?.fail(new TypeError('Failed to fetch'))
    underWay.get('b')?.fail(new CallError(422, '', { message: '', code: 'image_broken' }))
    await expect.poll(states).toEqual(['phone.heic refused', 'a failed', 'b refused', 'c sending'])
  })

  test('that failed are sent again, together or one alone; those that were refused are not', async () => {
    const { queue, underWay, states } = playQueue()
    queue.add([...files('a', 'b'), aFile('plan.pdf', 'application/pdf')], 24)
    for (const each of underWay.values()) each.fail(new TypeError('Failed to fetch'))
    await expect.poll(states).toEqual(['a failed', 'b failed', 'plan.pdf refused'])
    queue.retry(['1'])
    expect(states()).toEqual(['a sending', 'b failed', 'plan.pdf refused'])
    queue.retry(queue.get().map(({ id }) => id))
    expect(states()).toEqual(['a sending', 'b sending', 'plan.pdf refused'])
  })

  test('are taken while there is room; what is refused takes none, and the rest is named', () => {
    const { queue, states } = playQueue()
    expect(queue.add([aFile('plan.pdf', 'application/pdf'), ...files('a', 'b', 'c')], 1)).toEqual(['b', 'c'])
    expect(states()).toEqual(['plan.pdf refused', 'a sending'])
    expect(queue.add(files('d'), -1)).toEqual(['d'])
  })

  test('that are there already say so', async () => {
    const { queue, underWay, states } = playQueue(() => 'alreadyHere')
    queue.add(files('a'), 24)
    underWay.get('a')?.arrive()
    await expect.poll(states).toEqual(['a refused'])
    expect(queue.get()[0]?.refusal).toBe('alreadyHere')
  })

  test('are stopped when they are taken out, and the next one goes', () => {
    const { queue, underWay, states } = playQueue()
    queue.add(files('a', 'b', 'c'), 24)
    queue.remove(['1'])
    expect(underWay.get('a')?.signal.aborted).toBe(true)
    expect(states()).toEqual(['b sending', 'c sending'])
    queue.stop()
    expect(states()).toEqual([])
    expect(underWay.get('c')?.signal.aborted).toBe(true)
  })
})
