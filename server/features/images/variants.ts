import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '#server/clock.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { Encoder } from './encoder.ts'
import { allVariants, objectName, type Variant, variantName } from './image.rules.ts'

/** The smaller copies of photos. They are made one at a time, behind the visitors' backs. */
export type Variants = {
  /** Makes every copy of a photo that is missing, when there is time. */
  prepare(hash: string): void
  /** Makes one copy before the others, because somebody is looking; one that just failed is left alone for a while. */
  hurry(hash: string, variant: Variant): void
  /** Resolves when nothing is left to make. */
  settled(): Promise<void>
  /** How many copies are still to be made. */
  waiting(): number
  stop(): Promise<void>
}

type Job = { hash: string; variant: Variant }

type Parts = { storage: Storage; encoder: Encoder; clock: Clock; log: FastifyBaseLogger }

/** How long a copy that could not be made is left alone, however many visitors ask for it. */
const restAfterFailure = 60_000

export function createVariants({ storage, encoder, clock, log }: Parts): Variants {
  const waiting = new Map<string, Job>()
  const failedAt = new Map<string, number>()
  let working: Promise<void> | undefined
  let stopped = false

  async function make({ hash, variant }: Job) {
    const name = variantName(hash, variant)
    if (await storage.has(name)) return
    const original = await storage.read(objectName(hash))
    if (!original) return
    await storage.put(name, await encoder.copy(original, variant), { contentType: `image/${variant.format}` })
  }

  async function work() {
    for (;;) {
      const [name, job] = waiting.entries().next().value ?? []
      if (!name || !job || stopped) break
      waiting.delete(name)
      // One photo that cannot be encoded must not keep the others from their turn.
      await make(job).catch((error: unknown) => {
        failedAt.set(name, clock.now().getTime())
        if (!stopped) log.error({ err: error, ...job }, 'a smaller copy of a photo could not be made')
      })
    }
    working = undefined
  }

  function isResting(name: string) {
    const failed = failedAt.get(name)
    if (failed === undefined) return false
    if (clock.now().getTime() < failed + restAfterFailure) return true
    failedAt.delete(name)
    return false
  }

  return {
    prepare(hash) {
      for (const variant of allVariants) waiting.set(variantName(hash, variant), { hash, variant })
      working ??= work()
    },
    hurry(hash, variant) {
      const name = variantName(hash, variant)
      if (isResting(name)) return
      const others = [...waiting].filter(([other]) => other !== name)
      waiting.clear()
      waiting.set(name, { hash, variant })
      for (const [other, job] of others) waiting.set(other, job)
      working ??= work()
    },
    waiting: () => waiting.size,
    async settled() {
      await working
    },
    async stop() {
      stopped = true
      waiting.clear()
      await working
    },
  }
}
