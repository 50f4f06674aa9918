import { Problem } from '#server/http/problem.ts'

const megabyte = 1024 * 1024

/** What stays free for the database and the log. */
export const usualMargin = 32 * megabyte
/** More for nightly backups: the maker must be able to upload photos until the warning is read. */
export const nightMargin = 256 * megabyte

/** Refuses before anything is written when it would not fit. */
export async function ensureRoom(disk: { freeBytes(): Promise<number> }, bytes: number, margin = usualMargin) {
  const free = (await disk.freeBytes()) - margin
  if (free >= bytes) return
  const [neededMegabytes = 0, freeMegabytes = 0] = [bytes, Math.max(0, free)].map((each) => Math.ceil(each / 1_000_000))
  throw new Problem('disk_full', { details: { neededMegabytes, freeMegabytes } })
}
