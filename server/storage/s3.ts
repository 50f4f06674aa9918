import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { checkedName, type DirectAccess, type OpenFile, type Storage, StorageFailed, watchSource } from './storage.ts'

export type BucketSettings = {
  bucket: string
  endpoint: string | undefined
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  /** The bucket is named in the path of an address and not in its host. */
  pathStyle: boolean
  /** '' or ends with a slash. */
  prefix: string
  /** What stands before `objects/…` in the public address of a photo. */
  publicUrl: string | undefined
}

// Otherwise the SDK logs which Node it will need in future.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

const megabyte = 1024 * 1024

/** An upload has at most 10,000 parts: 80 GB fit. Two parts are in memory at a time; what is copied never passes through it. */
const sizes = { part: 8 * megabyte, copiedPart: 256 * megabyte }

/** Storage in a bucket of an S3-compatible service. */
export async function openBucket(settings: BucketSettings, { part, copiedPart } = sizes): Promise<Storage> {
  const { bucket, prefix, publicUrl } = settings
  const client = connect(settings)
  const at = (name: string) => ({ Bucket: bucket, Key: `${prefix}${checkedName(name)}` })

  const put: Storage['put'] = async (name, content, about) => {
    const object = { ...at(name), ...(about && published(about.contentType)) }
    if (Buffer.isBuffer(content)) {
      await orFailed(client.send(new PutObjectCommand({ ...object, Body: content })))
      return
    }
    const source = watchSource(content)
    const Body = Readable.from(source.chunks, { objectMode: false })
    const upload = new Upload({ client, params: { ...object, Body }, partSize: part, queueSize: 2 })
    await upload.done().catch((error: unknown) => {
      // A failure of the source is not one of the bucket.
      throw source.fault() ?? new StorageFailed(error)
    })
  }

  const get = async (name: string, range: { Range?: string; IfMatch?: string } = {}) => {
    const object = await orFailed(client.send(new GetObjectCommand({ ...at(name), ...range })).catch(undefinedIfMissing))
    return object && { content: object.Body as Readable, bytes: object.ContentLength ?? 0 }
  }

  const open = async (name: string): Promise<OpenFile | undefined> => {
    const facts = await orFailed(client.send(new HeadObjectCommand(at(name))).catch(undefinedIfMissing))
    if (!facts) return undefined
    const same = facts.ETag ? { IfMatch: facts.ETag } : {}
    return {
      bytes: facts.ContentLength ?? 0,
      async read(start, bytes) {
        const content = Buffer.allocUnsafeSlow(bytes)
        if (bytes === 0) return content
        const part = await get(name, { Range: `bytes=${start}-${start + bytes - 1}`, ...same })
        if (part?.bytes !== bytes) throw new StorageFailed(new Error(`${name} has no ${bytes} bytes at ${start}.`))
        await orFailed(fillFrom(part.content, content))
        return content
      },
      close: async () => {},
    }
  }

  /** In parts: a service copies at most 5 GB at once, and a connection may time out during less. */
  const copy = async (from: string, to: string, onProgress = () => {}) => {
    const source = `${bucket}/${at(from).Key}`
    const { ContentLength: bytes = 0 } = await orFailed(client.send(new HeadObjectCommand(at(from))))
    if (bytes <= copiedPart) {
      await orFailed(client.send(new CopyObjectCommand({ ...at(to), CopySource: source })))
      return
    }
    const { UploadId } = await orFailed(client.send(new CreateMultipartUploadCommand(at(to))))
    const upload = { ...at(to), UploadId }
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = []
      for (let start = 0; start < bytes; start += copiedPart) {
        const PartNumber = Parts.length + 1
        const CopySourceRange = `bytes=${start}-${Math.min(start + copiedPart, bytes) - 1}`
        const command = new UploadPartCopyCommand({ ...upload, PartNumber, CopySource: source, CopySourceRange })
        Parts.push({ PartNumber, ETag: (await client.send(command)).CopyPartResult?.ETag })
        onProgress()
      }
      await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
    } catch (error) {
      await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
      throw new StorageFailed(error)
    }
  }

  const has = async (name: string) =>
    (await orFailed(client.send(new HeadObjectCommand(at(name))).catch(undefinedIfMissing))) !== undefined

  const remove = async (name: string) => {
    await orFailed(client.send(new DeleteObjectCommand(at(name))))
  }

  const list: Storage['list'] = async (folder) => {
    const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${at(folder).Key}/`, Delimiter: '/' })
    const objects = await orFailed(contentsOf(pages))
    return objects.map(({ Key = '', Size = 0, LastModified = new Date(0) }) => ({
      name: Key.slice(prefix.length),
      bytes: Size,
      modifiedAt: LastModified,
    }))
  }

  const uploadAddress: DirectAccess['uploadAddress'] = (name, { bytes, contentType, seconds }) => {
    const command = new PutObjectCommand({ ...at(name), ContentLength: bytes, ContentType: contentType })
    const signableHeaders = new Set(['host', 'content-length', 'content-type'])
    return orFailed(getSignedUrl(client, command, { expiresIn: seconds, signableHeaders }))
  }
  const sample = await uploadAddress('uploads/sample', { bytes: 1, contentType: 'image/jpeg', seconds: 1 })

  return {
    put,
    async read(name) {
      const file = await get(name)
      return file && orFailed(fillFrom(file.content, Buffer.allocUnsafeSlow(file.bytes)))
    },
    stream: get,
    open,
    has,
    list,
    remove,
    async move(from, to) {
      if (!(await has(from))) return
      await copy(from, to)
      await remove(from)
    },
    newDraft() {
      const draft = `incoming/${randomUUID()}`
      return {
        write: (content) => put(draft, content),
        async open() {
          const opened = await open(draft)
          if (!opened) throw new StorageFailed(new Error(`${draft} was written and is not there.`))
          return opened
        },
        async keepAs(name, onProgress) {
          await copy(draft, name, onProgress)
          await remove(draft)
        },
        drop: () => remove(draft),
      }
    },
    async clearUnfinished(before, only) {
      const drafts = only ? [] : await list('incoming')
      for (const { name, modifiedAt } of drafts) if (modifiedAt < before) await remove(name)
      await orFailed(abortUploads(client, { Bucket: bucket, Prefix: only ? `${at(only).Key}/` : prefix }, before))
    },
    freeBytes: async () => Number.POSITIVE_INFINITY,
    async check() {
      await orFailed(client.send(new HeadBucketCommand({ Bucket: bucket })))
    },
    direct: {
      uploadAddress,
      uploadOrigin: new URL(sample).origin,
      publicUrl,
    },
  }
}

/** One client per process: it keeps the connections. */
export function connect({ endpoint, region, credentials, pathStyle }: BucketSettings) {
  const agent = { keepAlive: true, maxSockets: 200 }
  const settings: S3ClientConfig = {
    region,
    forcePathStyle: pathStyle,
    // Not every service knows these checksums; ours are in the files' names.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 120_000, httpAgent: agent, httpsAgent: agent },
  }
  if (endpoint) settings.endpoint = endpoint
  if (credentials) settings.credentials = credentials
  return new S3Client(settings)
}

async function contentsOf(pages: AsyncIterable<ListObjectsV2CommandOutput>) {
  const objects = []
  for await (const { Contents = [] } of pages) for (const object of Contents) objects.push(object)
  return objects
}

async function abortUploads(client: S3Client, where: { Bucket: string; Prefix: string }, before: Date) {
  let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {}
  while (next) {
    const page: ListMultipartUploadsCommandOutput = await client.send(new ListMultipartUploadsCommand({ ...where, ...next }))
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || Initiated >= before) continue
      await client.send(new AbortMultipartUploadCommand({ Bucket: where.Bucket, Key, UploadId }))
    }
    next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : undefined
  }
}

function published(contentType: string) {
  return { ContentType: contentType, CacheControl: 'public, max-age=31536000, immutable' }
}

async function fillFrom(content: Readable, target: Buffer) {
  let filled = 0
  for await (const chunk of content as AsyncIterable<Buffer>) filled += chunk.copy(target, filled)
  if (filled !== target.length) throw new Error(`Received ${filled} bytes instead of ${target.length}.`)
  return target
}

/** Failures of the service become StorageFailed. */
async function orFailed<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new StorageFailed(error)
  }
}

function undefinedIfMissing(error: Error) {
  if (['NoSuchKey', 'NotFound'].includes(error.name)) return undefined
  throw error
}
