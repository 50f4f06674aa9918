import { statfs } from 'node:fs/promises'

/** How much more the disk under a folder takes. */
export async function freeBytesAt(folder: string) {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
