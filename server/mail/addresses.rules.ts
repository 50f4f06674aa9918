import { z } from 'zod/mini'

export type MailAddress = { name: string; address: string }

/** `ana@example.com`, or with a name before it: `Ana <ana@example.com>`. */
export function mailAddressIn(text: string): MailAddress | undefined {
  const [, name = '', address = text.trim()] = /^([^<>\r\n]*)<([^<>]+)>\s*$/.exec(text) ?? []
  if (!z.email().safeParse(address).success) return undefined
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
}

/** Several, with commas between them. */
export function mailAddressesIn(text: string): MailAddress[] | undefined {
  const found = (text.match(/(?:"[^"]*"|[^,"])+/g) ?? []).filter((part) => part.trim() !== '').map(mailAddressIn)
  return found.length > 0 && found.every((address) => address !== undefined) ? found : undefined
}

export function shownAddress({ name, address }: MailAddress) {
  return name ? `${name} <${address}>` : address
}
