import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { defaultLanguage, isLanguage, type Language, languageKey } from '#contract/languages.ts'

/**
 * The address limits are counted by. A household has a whole IPv6 network (/64) and may take a new address of it for each
 * request, so the network counts; an IPv4 address that is written as IPv6 is that IPv4 address.
 */
export function countedAddress(given: string) {
  const address = plainAddress(given)
  if (!isIPv6(address)) return address
  // URL writes every spelling of an address in the same way, without dots; it takes no name of an interface.
  const [start = '', end] = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1).split('::')
  const before = start.split(':').filter(Boolean)
  const after = end?.split(':').filter(Boolean) ?? []
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return dotted(groups.slice(6))
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Some proxies write the port along; what is no address at all is one and the same visitor. */
export function plainAddress(given: string) {
  const bare = /^\[(.+)\](:\d+)?$/.exec(given)?.[1] ?? /^([\d.]+):\d+$/.exec(given)?.[1] ?? given
  return isIP(bare) ? bare : 'unknown'
}

function dotted(groups: readonly string[]) {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join('.')
}

/** What the address asks for, else what the visitor chose before; never what the browser guesses. */
export function chosenLanguage({ query, cookies }: FastifyRequest): { language: Language; languageAsked: boolean } {
  const { lang } = (query ?? {}) as { lang?: unknown }
  if (isLanguage(lang)) return { language: lang, languageAsked: true }
  const chosen = cookies[languageKey]
  return { language: isLanguage(chosen) ? chosen : defaultLanguage, languageAsked: false }
}
