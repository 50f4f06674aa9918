import { webcrypto } from 'node:crypto'

/** Computed beside the site, which goes on answering. */
export async function sha256Of(content: Buffer) {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', content)).toString('hex')
}
