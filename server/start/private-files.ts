import { chmodSync, statSync } from 'node:fs'

/** Called first by every program: other accounts of the machine cannot read what it writes. */
export function keepFilesPrivate() {
  process.umask(0o077)
}

const forOthers = 0o077
/** Folders that every account may write to, such as /tmp, are left open. */
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
