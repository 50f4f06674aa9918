import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { day } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/database/tables.ts'
import { siteCookie } from '#server/http/sessions.ts'

type Account = { id: string; passwordHash: string }

const cookieLifetime = 180 * day

/**
 * Browsers that have signed in to an account before, recognised by a signed cookie. It grants nothing: failed attempts of other
 * browsers just do not delay this one. A new password invalidates it.
 */
export function rememberedDevices(db: Db, config: Pick<Config, 'publicUrl'>) {
  const cookie = siteCookie('device', config)

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
      const isRemembered = isSame(signature, await signatureOf(deviceId, account))
      return isRemembered && account ? deviceId : undefined
    },
    async remember(request: FastifyRequest, reply: FastifyReply, account: Account, deviceId: string = randomUUID()) {
      cookie.set(request, reply, `${deviceId}.${await signatureOf(deviceId, account)}`, cookieLifetime)
    },
  }
}

function isSame(signature: string, expected: string) {
  const [a, b] = [Buffer.from(signature), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
