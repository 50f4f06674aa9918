import { request as ask, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { signInAt } from '../calls.ts'
import { declaredCalls } from '../declared-calls.ts'
import { type Answer, fuzz } from '../fuzz.ts'
import type { HostileRequest } from '../hostile-requests.ts'
import { rounds } from '../random.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { ownerAccount, startSite } from './site.ts'

const count = 100 * rounds(2)

function send(url: string, { endpoint: { method }, address, headers, payload }: HostileRequest) {
  return new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const length = payload && { 'content-length': payload.length }
    const outgoing = ask({ hostname, port, method, path: address, headers: { ...headers, ...length } })
    outgoing.once('error', reject)
    outgoing.once('response', (answer: IncomingMessage) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject)
    })
    outgoing.end(payload)
  })
}

test(`of ${count} hostile requests over real connections none fails, gets in or gets past the contract, and nothing is logged as an error`, {
  timeout: 120_000 + count * 100,
}, async () => {
  const site = await startSite({ DATA_DIR: await temporaryFolder(), RATE_LIMITS: 'off', TRUST_PROXY: '1' })
  let callers = 0
  // Each from another address: guessed passwords would delay our own signing in.
  const fromElsewhere = () => {
    callers += 1
    return { 'x-forwarded-for': `198.18.${(callers >> 8) & 255}.${callers & 255}` }
  }
  const { faults, seed } = await fuzz(
    {
      calls: await declaredCalls(),
      send: (request) => send(site.url, { ...request, headers: { ...fromElsewhere(), ...request.headers } }),
      signIn: () => signInAt(site.url, ownerAccount, fromElsewhere()),
    },
    { seed: Number(process.env.TEST_SEED ?? 1), count },
  )
  expect(faults, `TEST_SEED=${seed}`).toEqual([])
  const errors = site.output.stdout.split('\n').filter((line) => /"level":"?(50|60|error|fatal)/.test(line))
  expect(errors, `TEST_SEED=${seed}`).toEqual([])
})
