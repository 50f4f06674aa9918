import { request as ask, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { signIn } from '#contract/accounts.ts'
import { post } from '#tests/calls.ts'
import { declaredCalls } from '#tests/declared-calls.ts'
import { type Answer, fuzz } from '#tests/fuzz.ts'
import type { HostileRequest } from '#tests/hostile-requests.ts'
import { withSite } from './site.ts'

const count = 10_000
const owner = { username: 'bench', password: 'brass and pear' }

/** Ten thousand hostile requests over a real connection; FUZZ_SEED sends the same ones again. */
export function benchFuzz() {
  return withSite(
    async ({ url, output }) => {
      let callers = 0
      // Everybody comes from elsewhere: who guesses passwords must not keep us from signing in.
      const fromElsewhere = () => {
        callers += 1
        return { 'x-forwarded-for': `198.18.${callers >> 8}.${callers & 255}` }
      }
      const found = await fuzz(
        {
          calls: await declaredCalls(),
          send: (request) => send(url, { ...request, headers: { ...fromElsewhere(), ...request.headers } }),
          async signIn() {
            const answer = await post(url, signIn.path, owner, fromElsewhere())
            return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
          },
        },
        { seed: Number(process.env.FUZZ_SEED ?? Date.now() % 1e9), count },
      )
      return { ...found, loggedErrors: output.stdout.split('\n').filter((line) => /"level":[56]0/.test(line)).length }
    },
    { TRUST_PROXY: '1', ADMIN_USERNAME: owner.username, ADMIN_PASSWORD: owner.password },
  )
}

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
