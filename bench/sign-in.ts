import { signIn } from '#contract/accounts.ts'
import { median, withSite } from './site.ts'

const rounds = 15

/** Whether the time of a refusal tells if an account exists. Known and unknown names are tried in turn. */
export function benchSignIn() {
  return withSite(async (site) => {
    const refuse = async (username: string) => {
      const began = performance.now()
      const response = await fetch(new URL(signIn.path, site.url), {
        method: signIn.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: 'not the password' }),
      })
      if (response.status !== 401) throw new Error(`Signing in as ${username} answered ${response.status}`)
      return performance.now() - began
    }
    const known: number[] = []
    const unknown: number[] = []
    await refuse('warm-up')
    for (let round = 0; round < rounds; round += 1) {
      // The account is only heard five times before it has to wait; after a success it starts anew.
      if (round % 3 === 0) await succeed(site.url)
      known.push(await refuse('admin'))
      unknown.push(await refuse(`nobody-${round}`))
    }
    const [knownMedian, unknownMedian] = [median(known), median(unknown)]
    const spread = Math.max(...known) - Math.min(...known)
    return {
      knownMilliseconds: round(knownMedian),
      unknownMilliseconds: round(unknownMedian),
      differenceMilliseconds: round(Math.abs(knownMedian - unknownMedian)),
      spreadOfKnownMilliseconds: round(spread),
    }
  })
}

async function succeed(url: string) {
  const response = await fetch(new URL(signIn.path, url), {
    method: signIn.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'admin123' }),
  })
  if (!response.ok) throw new Error(`The demo account could not sign in: ${response.status}`)
}

function round(milliseconds: number) {
  return Math.round(milliseconds * 10) / 10
}
