import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { z } from 'zod/mini'
import { importData, incomingContact, incomingProject } from '#contract/backups.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { seededRandom } from './random.ts'

type Schema = NonNullable<Endpoint['body']>

/** An import says of itself only that it is an object. */
const importShape = z.object({ projects: z.array(incomingProject), contacts: z.array(incomingContact) })

/** A request nobody honest would send, or nearly one that somebody would. */
export type HostileRequest = {
  endpoint: Endpoint
  /** Path and query, as they go over the line. */
  address: string
  headers: Record<string, string>
  payload: Buffer | undefined
}

const long = 'x'.repeat(20_000)

/** Text that has broken other sites. */
const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202e',
  '\u0007\u001b[2J',
  '🚂'.repeat(3_000),
  long,
  "'; drop table projects; --",
  '%',
  '%_\\',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '..\\..\\windows',
  'https://evil.example/a.jpg',
  `/objects/${'0'.repeat(64)}`,
  'javascript:alert(1)',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e309',
  '9'.repeat(400),
  '2026-13-45T99:99:99Z',
  '0000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '00000000-0000-0000-0000-000000000000',
  'ana@example.com',
  '__proto__',
  'constructor',
  'toString',
]

const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown

export const hostileValues: readonly unknown[] = [
  ...hostileTexts,
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  Number.MAX_VALUE,
  5e-324,
  [],
  {},
  [[]],
  ['a', 'a'],
  nested(500),
  { length: 1e9 },
  { toString: 1, valueOf: null },
  { constructor: { prototype: { isAdmin: true } } },
  Object.fromEntries([['__proto__', { isAdmin: true }]]),
  Array.from({ length: 2_000 }, (_, number) => number),
]

const oddTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/json;;;',
  'application/jsonx',
  'application/vnd.api+json',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'image/png',
  '/',
  ';',
  '',
]

const oddBodies = [
  '{',
  '{"a":',
  'null',
  '[]',
  '""',
  '1e999',
  '-',
  '\u00ef\u00bb\u00bf{}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"name":"a","name":"b"}',
  `${'['.repeat(50_000)}`,
  `${'{"a":'.repeat(20_000)}`,
  '\xff\xfe\x00{',
  '--x\r\nContent-Disposition: form-data; name="backup"; filename="a.zip"\r\n\r\nPK\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n1\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="backup"; filename="a.zip"\r\n\r\nPK',
].map((text) => Buffer.from(text, 'latin1'))

const oddHeaders: readonly Record<string, string>[] = [
  {},
  { accept: 'text/html' },
  { accept: '*/*;q=x,,' },
  { 'accept-encoding': 'br;q=0, gzip;q=0, *;q=0' },
  { 'accept-encoding': 'zstd,,;;' },
  { 'if-none-match': '*' },
  { 'if-none-match': `W/"${'x'.repeat(500)}",,"` },
  { 'if-match': '"x"' },
  { 'if-modified-since': 'yesterday' },
  { range: 'bytes=5-1,--,0-' },
  { cookie: '=; ;;language=%zz; session' },
  { cookie: `session=${'a'.repeat(5_000)}` },
  { cookie: 'language=fr; language=es; __proto__=1' },
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { origin: 'http://[' },
  { 'sec-fetch-site': 'cross-site' },
  { 'x-forwarded-for': '"><script>, ,, ::1' },
  { 'x-forwarded-proto': 'javascript' },
  { 'x-forwarded-host': 'evil.example/"><' },
  { 'x-request-id': '../../x' },
  { 'user-agent': 'x'.repeat(5_000) },
  { 'content-encoding': 'gzip' },
  { 'accept-language': 'x;q=,' },
  { 'x-http-method-override': 'DELETE' },
]

/**
 * The same requests for the same seed, over all of the calls. Ids of records that are there make more of them get through:
 * they are asked for at each request.
 */
export function hostileRequests(calls: readonly Endpoint[], { seed, ids }: { seed: number; ids: () => readonly string[] }) {
  const random = seededRandom(seed)
  const chance = (part: number) => random() < part
  const whole = (below: number) => Math.floor(random() * below)
  const oneOf = <T>(things: readonly T[]): T => {
    const thing = things[whole(things.length)]
    if (thing === undefined) throw new Error('There is nothing to choose from.')
    return thing
  }
  const descriptions = new Map<Schema, Description>()

  function descriptionOf(schema: Schema) {
    const known = descriptions.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Description)
    descriptions.set(schema, known)
    return known
  }

  /** A value that fits, as far as its description tells. */
  function fitting(described: Description, field = ''): unknown {
    if (described.const !== undefined) return described.const
    if (described.enum) return oneOf(described.enum)
    if (described.anyOf) return fitting(oneOf(described.anyOf), field)
    switch (described.type) {
      case 'object': {
        const required = new Set(described.required)
        const fields = Object.entries(described.properties ?? {}).filter(([name]) => required.has(name) || chance(0.5))
        return Object.fromEntries(fields.map(([name, each]) => [name, fitting(each, name)]))
      }
      case 'array':
        return Array.from({ length: whole(3) }, () => fitting(described.items ?? {}))
      case 'string':
        if (described.format === 'uuid') return anId()
        if (described.format === 'email') return 'ana@example.com'
        if (described.format === 'date-time') return '2026-05-01T12:00:00.000Z'
        if (field.endsWith('ImageUrl') || field === 'imageUrl') return 'https://example.com/a.jpg'
        return field === 'contentType' ? 'image/png' : oneOf(['A text', `Text ${whole(1_000)}`, '24', 'x'.repeat(64)])
      case 'integer':
      case 'number':
        return whole(1_000)
      case 'boolean':
        return chance(0.5)
      default:
        return null
    }
  }

  /** The same with something in it that does not belong there. */
  function spoilt(value: unknown): unknown {
    if (chance(0.15) || typeof value !== 'object' || value === null) return oneOf(hostileValues)
    if (Array.isArray(value)) return [...value, oneOf(hostileValues)]
    const fields = Object.entries(value)
    if (fields.length === 0 || chance(0.2)) return { ...value, [oneOf(['extra', '', 'id', 'toString'])]: oneOf(hostileValues) }
    const [chosen] = oneOf(fields)
    if (chance(0.2)) return Object.fromEntries(fields.filter(([name]) => name !== chosen))
    return Object.fromEntries(fields.map(([name, each]) => [name, name === chosen ? spoilt(each) : each]))
  }

  function anId() {
    const known = ids()
    return known.length > 0 && chance(0.6) ? oneOf(known) : randomUUID()
  }

  function addressOf({ path, query }: Endpoint) {
    const place = path.replace(/:\w+|\*/g, () => {
      if (chance(0.6)) return anId()
      return oneOf([
        ...hostileTexts.map(escaped),
        '%00',
        '%zz',
        '..%2f..',
        '%2e%2e',
        '%E0%A4%A',
        'a'.repeat(64),
        'A'.repeat(43),
      ])
    })
    const wanted = query && chance(0.8) ? Object.entries(fitting(descriptionOf(query)) as Record<string, unknown>) : []
    const pairs = wanted.map(([name, value]) => `${name}=${escaped(chance(0.3) ? oneOf(hostileTexts) : String(value))}`)
    if (chance(0.2) && pairs[0]) pairs.push(pairs[0])
    if (chance(0.2)) {
      pairs.push(
        oneOf([
          'limit=-1',
          'limit=1e3',
          'after=',
          '__proto__=1',
          'a[]=1',
          'a[b]=1',
          '%zz=%',
          '&&=&',
          'lang=es&lang=en',
          'w=480',
        ]),
      )
    }
    return pairs.length > 0 ? `${place}?${pairs.join('&')}` : place
  }

  function payloadFor({ body: declared, path }: Endpoint) {
    const body = path === importData.path ? importShape : declared
    if (!body) return chance(0.2) ? oneOf(oddBodies) : undefined
    if (chance(0.15)) return oneOf(oddBodies)
    const value = fitting(descriptionOf(body))
    const json = Buffer.from(JSON.stringify(chance(0.6) ? spoilt(value) : value))
    return chance(0.05) ? gzipSync(json) : json
  }

  return function next(): HostileRequest {
    const endpoint = oneOf(calls)
    const payload = payloadFor(endpoint)
    const headers = { ...(chance(0.5) && oneOf(oddHeaders)), ...(payload && { 'content-type': 'application/json' }) }
    if (payload && chance(0.15)) headers['content-type'] = oneOf(oddTypes)
    return { endpoint, address: addressOf(endpoint), headers, payload }
  }
}

type Description = {
  type?: string
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Description[]
  properties?: Record<string, Description>
  required?: string[]
  items?: Description
}

/** As a program would write it into an address, where there are no halves of characters. */
function escaped(text: string) {
  return encodeURIComponent(Buffer.from(text.slice(0, 3_000)).toString())
}
