import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { checkHealth, checkReadiness } from '#contract/health.ts'

export type Visit = { address: string; agent: string; forwarded: boolean }

/** Requests in a row that came from one address. */
export type Run = { address: string; requests: number; agents: ReadonlySet<string>; forwarded: boolean }

/** That `TRUST_PROXY` is wrong. */
export type ProxySign = 'proxy_not_trusted' | 'one_visitor'

declare module 'fastify' {
  interface FastifyInstance {
    proxySigns(): ProxySign[]
  }
}

/** More requests in a row, and more browsers, than one person has. */
const manyRequests = 200
const manyAgents = 5

export function nextRun(run: Run | undefined, { address, agent, forwarded }: Visit): Run {
  if (run?.address !== address) return { address, requests: 1, agents: new Set([agent]), forwarded }
  const isCounted = run.agents.has(agent) || run.agents.size >= manyAgents
  return {
    address,
    requests: Math.min(run.requests + 1, manyRequests),
    agents: isCounted ? run.agents : new Set([...run.agents, agent]),
    forwarded: run.forwarded || forwarded,
  }
}

/** Whether the address is that of a proxy. Loopback alone is no sign: the maker may test many browsers on this machine. */
export function isOneForAll({ address, requests, agents, forwarded }: Run) {
  if (requests < manyRequests || agents.size < manyAgents) return false
  return isNear(address) && (forwarded || !within('loopback', address))
}

const networks = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fe80::/10'],
}

/** On this machine or in a private network. */
export function isNear(address: string) {
  return within('loopback', address) || within('private', address)
}

const lists = new Map<keyof typeof networks, BlockList>()

function within(kind: keyof typeof networks, address: string) {
  const [bare = ''] = address.split('%', 1)
  const list = lists.get(kind) ?? listOf(networks[kind])
  // Made with the first use, which keeps the start short.
  lists.set(kind, list)
  return list.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4')
}

function listOf(subnets: readonly string[]) {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/')
    list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4')
  }
  return list
}

const forwardedHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'x-real-ip']

/** Whether a proxy has passed a request on, or a visitor pretends to be one. */
export function isForwarded(headers: IncomingHttpHeaders) {
  return forwardedHeaders.some((header) => headers[header] !== undefined)
}

const checks = new Set<string>([checkHealth.path, checkReadiness.path])
const maxAgentLength = 200

/**
 * Detects a wrong `TRUST_PROXY`, with which all visitors share one rate limit. Each sign is logged once and shown in the panel.
 * Register before any asynchronous hook: `ip` is empty once the connection is closed.
 */
export function watchForProxies(app: FastifyInstance, trustedProxies: number) {
  let run: Run | undefined
  let isNotTrusted = false
  let isLogged = false

  app.addHook('onRequest', async (request) => {
    const { ip, headers, socket, url } = request
    if (!ip || checks.has(url)) return
    const forwarded = isForwarded(headers)
    run = nextRun(run, { address: ip, agent: headers['user-agent']?.slice(0, maxAgentLength) ?? '', forwarded })
    // Any visitor can send such a header; only an address in a private network is taken for a proxy.
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

  app.decorate('proxySigns', () => {
    const isOne = run !== undefined && isOneForAll(run)
    return [...(isNotTrusted ? (['proxy_not_trusted'] as const) : []), ...(isOne ? (['one_visitor'] as const) : [])]
  })
}
