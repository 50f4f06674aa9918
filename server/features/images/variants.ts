import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Clock } from '#server/clock.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { Encoder } from './encoder.ts'
import { allVariants, imageName, siteVariants, type Variant, variantName } from './image.rules.ts'

export type Variants = ReturnType<typeof createVariants>

type Job = { hash: string; variant: Variant }
type Parts = { storage: Storage; encoder: Encoder; clock: Clock; log: FastifyBaseLogger }

/** How long a variant that could not be made is not tried again, in milliseconds. */
const retryDelay = 60_000
const maxFailures = 1_000

/** Makes the variants of images in the background, one at a time. */
export function createVariants({ storage, encoder, clock, log }: Parts) {
  const urgent = new Map<string, Job>()
  const queue = new Map<string, Job>()
  const failedAt = new LRUCache<string, number>({ max: maxFailures })
  let working: Promise<void> | undefined
  let stopped = false

  async function make({ hash, variant }: Job) {
    const name = variantName(hash, variant)
    if (await storage.has(name)) return
    const original = await storage.read(imageName(hash))
    if (!original) return
    await storage.put(name, await encoder.makeVariant(original, variant), { contentType: `image/${variant.format}` })
  }

  async function work() {
    for (;;) {
      const [name, job] = urgent.entries().next().value ?? queue.entries().next().value ?? []
      if (!name || !job || stopped) break
      urgent.delete(name)
      queue.delete(name)
      // An image that cannot be encoded must not hold up the others.
      await make(job).catch((error: unknown) => {
        failedAt.set(name, clock.now().getTime())
        if (!stopped) log.error({ err: error, ...job }, 'a smaller copy of a photo could not be made')
      })
    }
    working = undefined
  }

  function enqueue(hash: string, variants: readonly Variant[]) {
    for (const variant of variants) queue.set(variantName(hash, variant), { hash, variant })
    working ??= work()
  }

  return {
    /** Queues every variant of an image that is missing. */
    prepare: (hash: string) => enqueue(hash, allVariants),
    /** The same, with those that only a photo of the page itself has. */
    prepareForSite: (hash: string) => enqueue(hash, [...allVariants, ...siteVariants]),
    /** Makes a variant before the others: a visitor waits for it. */
    prioritize(hash: string, variant: Variant) {
      const name = variantName(hash, variant)
      if (clock.now().getTime() < (failedAt.get(name) ?? Number.NEGATIVE_INFINITY) + retryDelay) return
      failedAt.delete(name)
      queue.delete(name)
      urgent.set(name, { hash, variant })
      working ??= work()
    },
    waiting: () => urgent.size + queue.size,
    /** Resolves when the queue is empty. */
    async settled() {
      await working
    },
    async stop() {
      stopped = true
      urgent.clear()
      queue.clear()
      await working
    },
  }
}
