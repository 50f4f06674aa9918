import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  addPasskey,
  askForPasskey,
  confirmByPasskey,
  listPasskeys,
  mostPasskeys,
  type NewPasskey,
  type PasskeyAnswer,
  passkeyAlgorithms,
  removePasskey,
  signInByPasskey,
  startPasskey,
} from '#contract/passkeys.ts'
import { minute } from '#server/clock.ts'
import type { Db, PasskeyRow } from '#server/database/tables.ts'
import { noteActivity } from '#server/features/activity/activity.queries.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import { calledAs, isFromThisMachine } from '#server/http/own-address.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import { findAdmin } from './accounts.queries.ts'
import { letInto } from './let-in.ts'
import * as queries from './passkeys.queries.ts'
import { countAttempt, countedAnywhere, countedAtAddress, countedInSession } from './sign-in-attempts.ts'
import { issueToken, takeToken } from './tokens.queries.ts'

const challengeLifetime = 5 * minute

export function passkeyRoutes(app: FastifyInstance, site: Site) {
  const { config, database, clock } = site
  const { db } = database
  const { begin, letIn, turnAway } = letInto(app, site)
  const addressOf = (request: FastifyRequest) => addressForPasskeys(request, config.publicUrl)

  serve(app, listPasskeys, ({ admin }) => queries.listPasskeysOf(db, admin.adminId))

  serve(app, startPasskey, async ({ admin: { adminId, username }, request }) => {
    const { rpId } = addressOf(request)
    const own = await queries.listPasskeysOf(db, adminId)
    if (own.length >= mostPasskeys) throw new Problem('too_many_passkeys')
    const { brand } = await readMaker(db)
    return {
      challenge: await issueToken(db, { kind: 'new passkey', adminId, lifetime: challengeLifetime }, clock.now()),
      rp: { id: rpId, name: brand },
      user: { id: userHandleOf(adminId), name: username, displayName: username },
      excludeCredentials: own.map(({ id, transports }) => ({ id, type: 'public-key' as const, transports })),
    }
  })

  serve(app, addPasskey, async ({ body, admin, request }) => {
    const address = addressOf(request)
    const now = clock.now()
    const challenge = challengeIn(body.clientDataJSON)
    const taken = await takeToken(db, 'new passkey', challenge, now)
    const made = taken?.adminId === admin.adminId ? await verifyNew(body, challenge, address) : undefined
    if (!made) throw new Problem('passkey_refused')
    const { name, transports } = body
    const passkey = { id: made.id, name, transports, createdAt: now.toISOString(), usedAt: null }
    // Not while the account is deleted, nor beside another: both would get past the limit.
    await database.exclusively('admin accounts', async (tx) => {
      if (!(await findAdmin(tx, admin.adminId))) throw new Problem('sign_in_required')
      if ((await queries.listPasskeysOf(tx, admin.adminId)).length >= mostPasskeys) throw new Problem('too_many_passkeys')
      const { publicKey, counter } = made
      const added = await queries.insertPasskey(tx, { ...passkey, adminId: admin.adminId, publicKey, counter })
      if (!added) throw new Problem('passkey_refused')
      await noteActivity(tx, admin, { kind: 'passkey_added', name }, now)
    })
    return passkey
  })

  serve(app, removePasskey, async ({ params: { id }, admin }) => {
    await db.transaction().execute(async (tx) => {
      const name = await queries.removePasskeyOf(tx, admin.adminId, id)
      if (name === undefined) throw new Problem('passkey_not_found')
      await noteActivity(tx, admin, { kind: 'passkey_removed', name }, clock.now())
    })
    return { message: 'Passkey removed' }
  })

  serve(
    app,
    askForPasskey,
    async ({ request, reply }) => {
      await app.sessions.refuseRemoteDemo(request)
      const { rpId } = addressOf(request)
      reply.header('cache-control', 'no-store')
      return { challenge: await issueToken(db, { kind: 'passkey', lifetime: challengeLifetime }, clock.now()), rpId }
    },
    { onFullDisk: true, rateLimit: { max: 30, timeWindow: minute } },
  )

  /**
   * What stores the use of a passkey, if this is its answer to a challenge that was open until now. Without a passkey the answer
   * is verified as well, so that it takes as long.
   */
  async function verifyAnswer(answer: PasskeyAnswer, passkey: PasskeyRow | undefined, request: FastifyRequest) {
    const address = addressOf(request)
    const challenge = challengeIn(answer.clientDataJSON)
    const taken = await takeToken(db, 'passkey', challenge, clock.now())
    const counter = await counterIn(answer, passkey?.publicKey ?? nobodysKey, challenge, address)
    const { id, adminId, name } = passkey ?? {}
    const { userHandle } = answer
    const isOwn = adminId && (userHandle === undefined || userHandle === userHandleOf(adminId))
    if (!taken || !isOwn || counter === undefined || id === undefined) return undefined
    return async (tx: Db) => {
      if (await queries.setPasskeyUsed(tx, id, counter, clock.now())) return
      request.log.warn(
        { passkey: name, adminId },
        'a passkey was refused: its counter went back, as with a copy, or it was just removed',
      )
      throw new Problem('passkey_refused')
    }
  }

  serve(
    app,
    signInByPasskey,
    async ({ body, request, reply }) => {
      await app.sessions.refuseRemoteDemo(request)
      const passkey = await queries.findPasskey(db, body.id)
      const admin = passkey && (await findAdmin(db, passkey.adminId))
      const elsewhere = admin ? countedAnywhere(admin.username, request.ip) : countedAtAddress(request.ip)
      const { deviceId, attempt } = await begin(request, admin, elsewhere)
      const proven = await verifyAnswer(body, passkey, request)
      const entering = proven && admin && letIn({ request, reply }, admin, { deviceId, proven })
      const isIn = await entering?.catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'passkey_refused') return false
        throw error
      })
      if (!isIn || !admin) {
        await turnAway(request, admin)
        throw new Problem('passkey_refused')
      }
      await attempt.forgive()
      return { authenticated: true, adminId: admin.id, role: admin.role }
    },
    { onFullDisk: true },
  )

  serve(
    app,
    confirmByPasskey,
    async ({ body, admin, request }) => {
      const attempt = await countAttempt({ database, clock }, countedInSession(admin.adminId, request.ip))
      const passkey = await queries.findPasskey(db, body.id)
      const proven = await verifyAnswer(body, passkey?.adminId === admin.adminId ? passkey : undefined, request)
      if (!proven) throw new Problem('passkey_refused')
      await proven(db)
      await attempt.forgive()
      await app.sessions.confirm(admin)
      return { message: 'Passkey confirmed' }
    },
    { onFullDisk: true },
  )
}

type OwnAddress = { rpId: string; origin: string }

/** Browsers know passkeys by a name that is reached by https, and by localhost; never by the number of a machine. */
function addressForPasskeys(request: FastifyRequest, publicUrl: string | undefined): OwnAddress {
  const own = publicUrl ?? (isFromThisMachine(request.raw) ? calledAs(request) : undefined)
  const { protocol, hostname, origin } = new URL(own ?? 'http://unknown')
  const isName = !/^[\d.]+$|^\[/.test(hostname)
  if (hostname !== 'localhost' && !(protocol === 'https:' && isName)) throw new Problem('passkeys_unavailable')
  return { rpId: hostname, origin }
}

/** What a device keeps with a passkey to know whose it is. */
function userHandleOf(adminId: string) {
  return Buffer.from(adminId).toString('base64url')
}

/** The challenge that was answered; an empty one in what is no answer. */
function challengeIn(clientDataJSON: string) {
  try {
    return String(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()).challenge)
  } catch {
    return ''
  }
}

// Loaded when the first passkey is used: it takes some megabytes, and most sites have none.
const loadWebAuthn = () => import('@simplewebauthn/server')

/** The library throws for everything that is not as it should be, and says of each what. */
const asRefused = () => undefined

async function verifyNew({ id, clientDataJSON, attestationObject }: NewPasskey, challenge: string, address: OwnAddress) {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const response = { clientDataJSON, attestationObject }
  const verified = await verifyRegistrationResponse({
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: challenge,
    expectedOrigin: address.origin,
    expectedRPID: address.rpId,
    supportedAlgorithmIDs: passkeyAlgorithms,
  }).catch(asRefused)
  const credential = verified?.registrationInfo?.credential
  if (credential?.id !== id) return undefined
  return { id, publicKey: Buffer.from(credential.publicKey).toString('base64url'), counter: credential.counter }
}

/** A key of ES256 whose private half was thrown away. */
const nobodysKey = 'pQECAyYgASFYIKRkRWH7cEDgM11HmqVsIUNvzM-7Gs7c2ZCiDC65-iIIIlggBxRD20cC105TxcAjanSrTDHl2KHe90L_V2IxDRfjfpc'

/** The counter in an answer that this key has signed; undefined for any other. */
async function counterIn(
  { id, userHandle: _, ...response }: PasskeyAnswer,
  publicKey: string,
  challenge: string,
  address: OwnAddress,
) {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const verified = await verifyAuthenticationResponse({
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: challenge,
    expectedOrigin: address.origin,
    expectedRPID: address.rpId,
    // Compared in the transaction that stores the new one.
    credential: { id, publicKey: Buffer.from(publicKey, 'base64url'), counter: 0 },
  }).catch(asRefused)
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined
}
