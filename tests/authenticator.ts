import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { addPasskey, askForPasskey, signInByPasskey, startPasskey } from '#contract/passkeys.ts'
import type { TestApp } from './test-app.ts'

type How = {
  /** As the browser says it. */
  origin?: string
  rpId?: string
  type?: string
  /** Present and verified, unless a test says otherwise. */
  flags?: number
  counter?: number
  userHandle?: string | undefined
}

/** One that nobody can use. */
export function aPasskeyOf(adminId: string) {
  const moments = { createdAt: '2026-05-01T12:00:00.000Z', usedAt: '2026-05-02T12:00:00.000Z' }
  return { id: 'A-_0', adminId, name: 'Teléfono 📱', publicKey: 'pQEC', counter: 2 ** 32 - 1, transports: ['usb'], ...moments }
}

const present = 0x01
const verified = 0x04
const hasCredential = 0x40

/** A device that makes passkeys, and the browser in front of it, at http://localhost. */
export function anAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // COSE: { kty: EC2, alg: ES256, crv: P-256, x, y }
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const credentialId = randomBytes(32)
  let counter = 0
  let userHandle: string | undefined

  const dataFor = ({ rpId = 'localhost', flags = present | verified, counter: given }: How, more = Buffer.alloc(0)) => {
    counter = given ?? counter + 1
    const head = Buffer.alloc(5)
    head.writeUInt8(more.length > 0 ? flags | hasCredential : flags)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head, more])
  }
  const clientData = (type: string, challenge: string, { origin = 'http://localhost' }: How) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  return {
    id: credentialId.toString('base64url'),

    make(options: { challenge: string; user: { id: string } }, how: How = {}) {
      userHandle = options.user.id
      const idLength = Buffer.alloc(2)
      idLength.writeUInt16BE(credentialId.length)
      const authData = dataFor(how, Buffer.concat([Buffer.alloc(16), idLength, credentialId, coseKey]))
      const length = Buffer.alloc(2)
      length.writeUInt16BE(authData.length)
      // CBOR: { fmt: "none", attStmt: {}, authData }
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
        length,
        authData,
      ])
      return {
        id: this.id,
        clientDataJSON: clientData(how.type ?? 'webauthn.create', options.challenge, how).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      }
    },

    answer({ challenge }: { challenge: string }, how: How = {}) {
      const client = clientData(how.type ?? 'webauthn.get', challenge, how)
      const authData = dataFor(how)
      const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()])
      return {
        id: this.id,
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: 'userHandle' in how ? how.userHandle : userHandle,
      }
    },

    /** Adds a passkey to the account of a session. */
    async addTo(site: TestApp, as: { cookie: string }, name = 'Desk') {
      const made = this.make(await site.ask(startPasskey, { as }))
      return site.ask(addPasskey, { as, body: { name, ...made } })
    },

    async signIn(site: TestApp, how: How = {}) {
      return site.call(signInByPasskey, { body: this.answer(await site.ask(askForPasskey), how) })
    },
  }
}
