import { parse } from 'pg-connection-string'

/** Reads DATABASE_URL. `sslmode` means what it means to PostgreSQL's own programs; pg alone reads some modes differently. */
export function parseAddress(url: string) {
  const settings = new URLSearchParams(url.split('?')[1])
  // The library knows no-verify only without this option, and refuses the option where the address has it too.
  const isPgOnly = settings.get('sslmode') === 'no-verify' || settings.has('uselibpqcompat')
  return parse(url, { useLibpqCompat: !isPgOnly })
}

/** The others are spelled by one rule. */
const spelledDifferently: Record<string, string> = { connect_timeout: 'PGCONNECT_TIMEOUT', application_name: 'PGAPPNAME' }

/** The same as environment variables: everyone on the machine can read the arguments of a program. */
export function postgresEnvironment(url: string): Record<string, string> {
  const { ssl, sslmode, ...settings } = parseAddress(url)
  const given = { ...settings, sslmode: ssl === true || sslmode === 'no-verify' ? 'require' : sslmode }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      typeof value === 'string' && value
        ? [[spelledDifferently[name] ?? `PG${name.toUpperCase().replaceAll('_', '')}`, value]]
        : [],
    ),
  )
}
