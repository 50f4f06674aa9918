import { Readable } from 'node:stream'
import type { BackupSecret } from '#server/config.ts'
import { asDiskProblem } from '#server/http/disk-problem.ts'
import { Problem } from '#server/http/problem.ts'
import { piecesOf } from '#server/storage/pieces-of.ts'
import type { Draft, OpenFile, Storage } from '#server/storage/storage.ts'
import { ensureRoom } from './disk-space.ts'
import { isSealed, openSeal, sealedEnding } from './encrypt.ts'

type Parts = { storage: Storage; secret: BackupSecret | undefined }

/** Hands over the file, or what is in it when it is encrypted: once all of that has proved to be as it was encrypted. */
export async function withUnsealed<T>(
  file: OpenFile,
  { storage, secret }: Parts,
  use: (file: OpenFile) => Promise<T>,
): Promise<T> {
  if (!(await isSealed(file))) return use(file)
  return withDecrypted(file, { storage, secret }, async (draft) => {
    const unsealed = await draft.open()
    return use(unsealed).finally(() => unsealed.close())
  })
}

/** Decrypts a file into a draft, which is dropped in the end unless it is kept. */
export async function withDecrypted<T>(sealed: OpenFile, { storage, secret }: Parts, use: (draft: Draft) => Promise<T>) {
  if (!secret) throw new Problem('secret_missing')
  await ensureRoom(storage, sealed.bytes)
  const draft = storage.newDraft()
  try {
    const content = await openSeal(secret).unseal(Readable.from(piecesOf(sealed), { objectMode: false }))
    await draft.write(content).catch((error: unknown) => {
      throw asDiskProblem(error)
    })
    return await use(draft)
  } finally {
    await draft.drop()
  }
}

/** What a file is called once it is decrypted. */
export function unsealedName(filename: string) {
  return filename.toLowerCase().endsWith(sealedEnding) ? filename.slice(0, -sealedEnding.length) : filename
}
