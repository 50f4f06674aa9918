import type { copyImage } from './copy-image.ts'
import type { Variant } from './image.rules.ts'
import type { ImagePlace, JudgedImage, judgeImage } from './judge-image.ts'
import type { PreparedImage, prepareImage } from './prepare-image.ts'

/** What decodes and encodes. A type only: the process that answers visitors never loads the image library itself. */
export type Workshop = { prepareImage: typeof prepareImage; copyImage: typeof copyImage; judgeImage: typeof judgeImage }

/** Decodes and encodes photos one at a time, so that a small machine survives however many arrive at once. */
export type Encoder = {
  /**
   * Goes before every copy: somebody is waiting. The file is loaded when its turn has come, so that those who wait are not
   * all in memory.
   */
  prepare(load: () => Promise<Buffer>): Promise<PreparedImage>
  copy(original: Buffer, variant: Variant): Promise<Buffer>
  /** Looks at a photo that is to be stored as it is. */
  judge(image: ImagePlace | Buffer): Promise<JudgedImage>
  /** How many wait for their turn. */
  waiting(): number
}

export function createEncoder(workshop: Workshop): Encoder {
  const waiting: Record<'first' | 'later', (() => Promise<void>)[]> = { first: [], later: [] }
  let busy = false

  async function work() {
    if (busy) return
    busy = true
    for (;;) {
      const next = waiting.first.shift() ?? waiting.later.shift()
      if (!next) break
      await next()
    }
    busy = false
  }

  function inTurn<T>(turn: keyof typeof waiting, task: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      waiting[turn].push(() => task().then(resolve, reject))
      void work()
    })
  }

  return {
    prepare: (load) => inTurn('first', async () => workshop.prepareImage(await load())),
    judge: (image) => inTurn('first', () => workshop.judgeImage(image)),
    waiting: () => waiting.first.length + waiting.later.length,
    copy: (original, variant) => inTurn('later', () => workshop.copyImage(original, variant)),
  }
}
