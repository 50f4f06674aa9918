import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type CORSConfiguration, PutBucketCorsCommand, PutBucketPolicyCommand } from '@aws-sdk/client-s3'
import { projectRoot } from '#server/own-program.ts'
import { type BucketSettings, connect } from '#server/storage/s3.ts'

/** Gives a bucket the rules that docs/deploy.md recommends, word for word. */
export async function applyDocumentedRules(settings: BucketSettings, origin: string) {
  const { bucket, prefix } = settings
  const document = await readFile(path.join(projectRoot, 'docs/deploy.md'), 'utf8')
  const [cors = '', policy = ''] = [...document.matchAll(/```json\n(.+?)```/gs)].map(([, json]) => json)
  const client = connect(settings)
  const rules: CORSConfiguration = JSON.parse(cors.replaceAll('https://models.example', origin))
  await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: rules }))
  const readable = policy.replaceAll('BUCKET/PREFIX/', `${bucket}/${prefix}`)
  await client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: readable }))
  client.destroy()
}
