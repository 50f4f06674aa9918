import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { defaultLanguage, isLanguage, type Language, languageKey } from '#contract/languages.ts'

/**
 * The address for rate limits. Of IPv6 the /64 network, because a household can use a new address of it for each request; an
 * IPv4 address written as IPv6 is that IPv4 address.
 */
export function countedAddress(ip: string) {
  const address = plainAddress(ip)
  if (!isIPv6(address)) return address
  // URL normalises IPv6 addresses; it refuses the name of an interface.
  const [start = '', end] = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1).split('::')
  const before = start.split(':').filter(Boolean)
  const after = end?.split(':').filter(Boolean) ?? []
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return dotted(groups.slice(6))
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Without the port that some proxies add; anything that is no address counts as one visitor. */
export function plainAddress(ip: string) {
  const bare = /^\[(.+)\](:\d+)?$/.exec(ip)?.[1] ?? /^([\d.]+):\d+$/.exec(ip)?.[1] ?? ip
  return isIP(bare) ? bare : 'unknown'
}

function dotted(groups: readonly string[]) {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join('.')
}

/** The language of the address, else that of the cookie; never Accept-Language. */
export function chosenLanguage({ query, cookies }: FastifyRequest): { language: Language; languageAsked: boolean } {
  const { lang } = (query ?? {}) as { lang?: unknown }
  if (isLanguage(lang)) return { language: lang, languageAsked: true }
  const chosen = cookies[languageKey]
  return { language: isLanguage(chosen) ? chosen : defaultLanguage, languageAsked: false }
}
