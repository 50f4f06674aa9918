import { inject } from 'vitest'
import { openFolder } from '#server/storage/folder.ts'
import { type BucketSettings, openBucket } from '#server/storage/s3.ts'
import type { Storage } from '#server/storage/storage.ts'
import { partOfBucket } from './s3.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** For `describe.each`: what holds in one storage holds in the other. */
export const storages = ['folder', 's3'] as const
export type StorageKind = (typeof storages)[number]

/** A part of a bucket of the run's own S3 server, which starts with the first test that asks for it. */
export async function testBucket(): Promise<BucketSettings> {
  const answer = await fetch(inject('s3Starter'))
  const endpoint = await answer.text()
  if (!answer.ok) throw new Error(endpoint)
  return partOfBucket(endpoint)
}

export async function openTestStorage(kind: StorageKind, folder?: string): Promise<Storage> {
  return kind === 's3' ? openBucket(await testBucket()) : openFolder(folder ?? (await temporaryFolder()))
}
