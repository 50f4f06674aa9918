import type { Storage } from '#server/storage/storage.ts'
import { isBackupName, storedBackup } from './backup-names.ts'
import { unsealedName } from './unsealed.ts'

/** `file` is the name of the backup, or that and `.age`. */
export type Copy = { filename: string; file: string; bytes: number }

export function copiesAmong(files: Awaited<ReturnType<Storage['list']>>): Copy[] {
  return files
    .map(({ name, bytes }) => ({ file: name.slice(storedBackup('').length), bytes }))
    .map((copy) => ({ ...copy, filename: unsealedName(copy.file) }))
    .filter(({ filename }) => isBackupName(filename))
}
