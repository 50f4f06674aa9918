import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { inject } from 'vitest'
import { openFolder } from '#server/storage/folder.ts'
import { type BucketSettings, openBucket } from '#server/storage/s3.ts'
import type { Storage } from '#server/storage/storage.ts'
import { s3Account } from './s3.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** For `describe.each`: what holds in one storage holds in the other. */
export const storages = ['folder', 's3'] as const
export type StorageKind = (typeof storages)[number]

const bucket = 'vitrina-tests'
let made: Promise<string> | undefined

/** A part of the run's bucket that is the test's own. */
export async function testBucket(): Promise<BucketSettings> {
  made ??= makeBucket()
  const endpoint = await made
  return {
    bucket,
    endpoint,
    region: 'us-east-1',
    credentials: s3Account,
    pathStyle: true,
    prefix: `${randomUUID()}/`,
    publicUrl: undefined,
  }
}

/** The same as settings of a process. */
export async function bucketSettings() {
  const { bucket: S3_BUCKET, endpoint = '', prefix } = await testBucket()
  const { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } = s3Account
  const account = { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }
  return { S3_BUCKET, S3_ENDPOINT: endpoint, S3_PREFIX: prefix, S3_PATH_STYLE: 'true', ...account }
}

export async function openTestStorage(kind: StorageKind, folder?: string): Promise<Storage> {
  return kind === 's3' ? openBucket(await testBucket()) : openFolder(folder ?? (await temporaryFolder()))
}

/** Answers where the server is. Who owns a bucket may make it again; nothing happens to it. */
async function makeBucket() {
  const answer = await fetch(inject('s3Starter'))
  const endpoint = await answer.text()
  if (!answer.ok) throw new Error(endpoint)
  const client = new S3Client({ endpoint, region: 'us-east-1', credentials: s3Account, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  return endpoint
}
