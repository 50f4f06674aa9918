import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { day } from '#server/clock.ts'
import type { Db } from '#server/database/tables.ts'
import { siteCookie } from '#server/http/sessions.ts'

type Account = { id: string; passwordHash: string }

const remembered = 180 * day

/**
 * Browsers that have signed in to an account before, known by a signed cookie. It opens nothing: it only keeps guesses made
 * elsewhere from making this browser wait. A new password makes the cookies before it worthless.
 */
export function knownDevices(db: Db, publicUrl: string | undefined) {
  const cookie = siteCookie('device', publicUrl)

  async function signatureOf(deviceId: string, account: Account | undefined) {
    const { deviceKey } = await db.selectFrom('site').select('deviceKey').executeTakeFirstOrThrow()
    const signed = `${deviceId} ${account?.id} ${account?.passwordHash}`
    return createHmac('sha256', deviceKey).update(signed).digest('base64url')
  }

  return {
    /** The browser's id, if it has signed in to this account before. Takes as long when there is no such account. */
    async find(request: FastifyRequest, account: Account | undefined): Promise<string | undefined> {
      const [deviceId, signature] = cookie.read(request)?.split('.') ?? []
      if (!deviceId || !signature) return undefined
      const isKnown = isSame(signature, await signatureOf(deviceId, account))
      return isKnown && account ? deviceId : undefined
    },
    async remember(request: FastifyRequest, reply: FastifyReply, account: Account, deviceId: string = randomUUID()) {
      cookie.set(request, reply, `${deviceId}.${await signatureOf(deviceId, account)}`, remembered)
    },
  }
}

function isSame(given: string, expected: string) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
