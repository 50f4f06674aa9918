import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { checkHealth, checkReadiness } from '#contract/health.ts'
import type { Warning } from '#contract/overview.ts'

export type Visit = { address: string; agent: string; forwarded: boolean }

/** Requests in a row that came from one address. */
export type Run = { address: string; requests: number; agents: ReadonlySet<string>; forwarded: boolean }

/** So many in a row, by so many different browsers, are not one person. */
const manyRequests = 200
const manyAgents = 5

export function nextRun(run: Run | undefined, { address, agent, forwarded }: Visit): Run {
  if (run?.address !== address) return { address, requests: 1, agents: new Set([agent]), forwarded }
  const isKnown = run.agents.has(agent) || run.agents.size >= manyAgents
  return {
    address,
    requests: Math.min(run.requests + 1, manyRequests),
    agents: isKnown ? run.agents : new Set([...run.agents, agent]),
    forwarded: run.forwarded || forwarded,
  }
}

/** Whether the address is that of a proxy and not of a visitor. On the machine itself the maker tries out many browsers. */
export function isOneForAll({ address, requests, agents, forwarded }: Run) {
  if (requests < manyRequests || agents.size < manyAgents) return false
  return isNear(address) && (forwarded || !within(loopback, address))
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, bits)
}
privateNetworks.addSubnet('fc00::', 7, 'ipv6')
privateNetworks.addSubnet('fe80::', 10, 'ipv6')

/** On this machine or in its own network, where a proxy is and the public is not. */
export function isNear(address: string) {
  return within(loopback, address) || within(privateNetworks, address)
}

function within(list: BlockList, address: string) {
  const [bare = ''] = address.split('%', 1)
  return list.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4')
}

const forwardedHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'x-real-ip']
const checks = new Set<string>([checkHealth.path, checkReadiness.path])
const longestAgent = 200

/**
 * Notices what a wrong `TRUST_PROXY` looks like: limits and delays then hold for all visitors together. Each sign is logged
 * once; the panel shows those that are there. Register before anything waits: the address of a caller who has gone is only
 * known afterwards when it was asked for before.
 */
export function watchForProxies(app: FastifyInstance, trustedProxies: number) {
  let run: Run | undefined
  let isNotTrusted = false
  let isLogged = false

  app.addHook('onRequest', async (request) => {
    const { ip, headers, socket, url } = request
    if (!ip || checks.has(url)) return
    const forwarded = forwardedHeaders.some((header) => headers[header] !== undefined)
    run = nextRun(run, { address: ip, agent: headers['user-agent']?.slice(0, longestAgent) ?? '', forwarded })
    // A visitor from afar can write such a header too; only a proxy that is near is believed to be one.
    if (forwarded && trustedProxies === 0 && !isNotTrusted && isNear(socket.remoteAddress ?? '')) {
      isNotTrusted = true
      app.log.warn(
        'a proxy is in front and not trusted, so that all visitors count as one: set TRUST_PROXY to how many there are',
      )
    }
    if (!isLogged && isOneForAll(run)) {
      isLogged = true
      app.log.warn({ address: run.address }, 'all visitors seem to have one address: see TRUST_PROXY in docs/deploy.md')
    }
  })

  return {
    list(): Warning[] {
      const isOne = run !== undefined && isOneForAll(run)
      return [...(isNotTrusted ? (['proxy_not_trusted'] as const) : []), ...(isOne ? (['one_visitor'] as const) : [])]
    },
  }
}
