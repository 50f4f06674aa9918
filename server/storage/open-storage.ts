import path from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { openFolder } from './folder.ts'
import { type Storage, StorageFailed } from './storage.ts'

/** The storage the settings name. A site that needs no bucket does not load what speaks to one. */
export async function openStorage(
  { bucket, dataDir }: Pick<Config, 'bucket' | 'dataDir'>,
  { ours = true } = {},
): Promise<Storage> {
  if (!bucket) return openFolder(path.join(dataDir, 'files'), { ours })
  const { openBucket } = await import('./s3.ts')
  try {
    const storage = await openBucket(bucket)
    await storage.check()
    return storage
  } catch (error) {
    const cause = error instanceof StorageFailed ? error.cause : error
    const where = `${bucket.bucket}${bucket.endpoint ? ` at ${bucket.endpoint}` : ''}`
    throw new ConfigError([
      ['S3_BUCKET', `${where} cannot be used: ${reasonIn(cause)}. Check the settings that begin with S3_.`],
    ])
  }
}

const answers: Record<number, string> = { 403: 'the service refuses us', 404: 'there is no such bucket' }

function reasonIn(error: unknown) {
  const { message, code, $metadata } = error as { message?: string; code?: string; $metadata?: { httpStatusCode?: number } }
  return answers[$metadata?.httpStatusCode ?? 0] ?? ([code, message].filter(Boolean).join(', ') || 'it does not answer')
}
