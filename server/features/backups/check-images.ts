import type { ProblemCode } from '#contract/problems.ts'
import { Problem } from '#server/http/problem.ts'
import { refusedArchive } from './archive.rules.ts'
import { inLanes } from './lanes.ts'
import type { ImageInArchive, ImagePlace } from './open-archive.ts'
import type { Progress } from './progress.ts'

/** What the site must know of a photo, found in its bytes. Fails with a Problem when they are not a clean photo. */
export type JudgeImage = (image: ImagePlace | Buffer) => Promise<JudgedImage>
export type JudgedImage = { hash: string; contentType: string; width: number; height: number; placeholder: string }

/** Two at a time keep a small machine busy and its memory small: each lane has one photo in hand. */
export function newLanes() {
  return [{ memory: Buffer.alloc(0) }, { memory: Buffer.alloc(0) }]
}
type Lane = ReturnType<typeof newLanes>[number]

export async function readIn(lane: Lane, image: ImageInArchive) {
  if (lane.memory.length < image.bytes) lane.memory = Buffer.allocUnsafeSlow(Math.ceil(image.bytes * 1.25))
  return image.read(lane.memory)
}

/** Reads every photo through; those that are wanted are also judged like an upload. */
export async function checkImages(
  images: readonly ImageInArchive[],
  isWanted: (image: ImageInArchive) => boolean | Promise<boolean>,
  judge: JudgeImage,
  progress: Progress,
): Promise<Map<string, JudgedImage>> {
  const judged = new Map<string, JudgedImage>()
  let done = 0
  await inLanes(images, newLanes(), async (image, lane) => {
    if (await isWanted(image)) judged.set(image.hash, await judgeAgainstName(image, lane, judge))
    else await readIn(lane, image)
    done += 1
    progress('checking', done, images.length)
  })
  return judged
}

const verdicts = ['not_an_image', 'image_too_many_pixels', 'image_broken'] as const

function isVerdict(code: ProblemCode): code is (typeof verdicts)[number] {
  return (verdicts as readonly ProblemCode[]).includes(code)
}

async function judgeAgainstName(image: ImageInArchive, lane: Lane, judge: JudgeImage) {
  const { hash, place } = image
  const judged = await judge(place ?? (await readIn(lane, image))).catch(async (error: unknown) => {
    if (!(error instanceof Problem)) throw error
    const because = isVerdict(error.code) ? error.code : 'image_broken'
    throw refusedArchive({ reason: 'photo_refused', photo: hash, ...(await image.shownBy()), because }, error)
  })
  if (judged.hash !== hash) throw refusedArchive({ reason: 'photo_damaged', photo: hash, ...(await image.shownBy()) })
  return judged
}
