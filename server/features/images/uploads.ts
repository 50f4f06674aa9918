import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { maxImageBytes } from '#contract/contact-fields.ts'
import { type AnnouncedImage, storedAddress, uploadImage, uploadMinutes } from '#contract/images.ts'
import { parseUrl } from '#contract/web-address.ts'
import type { UploadState } from '#server/database/tables.ts'
import { limitBody } from '#server/http/body-limits.ts'
import { Problem } from '#server/http/problem.ts'
import { uploadIn, uploadName } from './image.rules.ts'
import { type StoreParts, storeImage } from './image-store.ts'
import { claimTicket, findTicket, insertTicket, type Ticket } from './images.queries.ts'
import type { Variants } from './variants.ts'

/** An upload has three steps: a ticket, the bytes, finalize. */
export function createUploads({ variants, ...parts }: StoreParts & { variants: Variants }) {
  const { storage, clock } = parts
  const { db } = parts.database

  async function refuseUnless(ticket: Ticket, needed: UploadState) {
    const row = await findTicket(db, ticket)
    if (!row) throw new Problem('upload_not_found')
    if (row.state === 'used') throw new Problem('upload_used')
    if (row.expiresAt <= clock.now().toISOString()) throw new Problem('upload_expired')
    if (row.state !== needed) throw new Problem(needed === 'open' ? 'upload_used' : 'upload_not_received')
  }

  /** Of several requests that do the same at once, one succeeds; their work is the same, and stored once. */
  async function claim(ticket: Ticket, from: UploadState, to: UploadState) {
    if (await claimTicket(db, ticket, from, to)) return
    throw new Problem((await findTicket(db, ticket)) ? 'upload_used' : 'upload_not_found')
  }

  return {
    /** An address of this site; of the bucket itself when there is one and the client says what it will send. */
    async issue(adminId: string, site: string, announced: AnnouncedImage | null | undefined) {
      if (announced && announced.bytes > maxImageBytes) throw new Problem('image_too_large')
      const ticket = randomBytes(32).toString('base64url')
      const id = idOf(ticket)
      const expiresAt = new Date(clock.now().getTime() + uploadMinutes * 60_000).toISOString()
      await insertTicket(db, { id, adminId, expiresAt })
      if (!announced || !storage.direct) return new URL(uploadImage.path.replace(':ticket', ticket), site).href
      return storage.direct.uploadAddress(uploadName(id), { ...announced, seconds: uploadMinutes * 60 })
    },

    /** Keeps the bytes until finalize. What does not arrive whole may be sent again with the same ticket. */
    async receive(adminId: string, ticket: string, content: Readable) {
      const id = idOf(ticket)
      await refuseUnless({ id, adminId }, 'open')
      try {
        await storage.put(uploadName(id), Readable.from(limitBody(content, maxImageBytes, 'image_too_large')))
      } catch (error) {
        // Read to its end: otherwise the connection stays open.
        content.resume()
        throw content.destroyed && !(error instanceof Problem) ? new Problem('upload_interrupted', { cause: error }) : error
      }
      await claim({ id, adminId }, 'open', 'received')
    },

    /**
     * Judges and stores the photo. After that the ticket is used up and the upload removed, whether the photo was accepted or
     * refused; when the disk or the storage fails, the same ticket can be tried again.
     */
    async finalize(adminId: string, imageURL: string): Promise<string> {
      const direct = uploadIn(imageURL)
      const ticket = { id: direct ?? idOf(ticketIn(imageURL) ?? ''), adminId }
      // What was sent to the bucket has arrived when it is there.
      const arrivedAs = direct ? 'open' : 'received'
      await refuseUnless(ticket, arrivedAs)
      const close = async () => {
        await claim(ticket, arrivedAs, 'used')
        // A file that stays behind is swept after a day.
        await storage.remove(uploadName(ticket.id)).catch(() => {})
      }
      const hash = await storeImage(parts, async () => {
        const arrived = await storage.stream(uploadName(ticket.id))
        if (!arrived) throw new Problem('upload_not_received')
        if (arrived.bytes <= maxImageBytes) return buffer(arrived.content)
        arrived.content.destroy()
        throw new Problem('image_too_large')
      }).catch(async (error: unknown) => {
        if (error instanceof Problem && error.code !== 'upload_not_received') await close()
        throw error
      })
      await close()
      variants.prepare(hash)
      return storedAddress(hash)
    },
  }
}

function idOf(ticket: string) {
  return createHash('sha256').update(ticket).digest('hex')
}

/** The ticket in an address that this site has issued, under any of its names. */
function ticketIn(address: string) {
  const prefix = uploadImage.path.slice(0, uploadImage.path.indexOf(':'))
  const path = parseUrl(address, 'http://localhost')?.pathname
  return path?.startsWith(prefix) ? path.slice(prefix.length) : undefined
}
