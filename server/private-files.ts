import { chmodSync, statSync } from 'node:fs'

/** Called first by every program: what it writes from then on no other account of the machine may read. */
export function keepFilesPrivate() {
  process.umask(0o077)
}

const forOthers = 0o077
/** Folders that everybody may write to, such as /tmp, are not ours to close. */
const sticky = 0o1000

/** Closes a folder of ours that an earlier release, or the owner's hand, has left open. Where that is not possible it stays. */
export function closeFolder(folder: string) {
  try {
    const { mode, uid } = statSync(folder)
    const isOurs = uid === process.getuid?.() && (mode & sticky) === 0
    if (isOurs && (mode & forOthers) !== 0) chmodSync(folder, 0o700)
  } catch {
    // A disk that cannot be written to, or one that knows no modes.
  }
}
