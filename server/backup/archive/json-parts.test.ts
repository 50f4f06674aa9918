import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '#tests/random.ts'
import { type JsonPart, readParts } from './json-parts.ts'

const shape = { lists: { records: 1_000, others: 2 }, values: ['format', 'counts'] }

async function partsOf(content: AsyncIterable<Uint8Array>) {
  const parsed: JsonPart[] = []
  for await (const parts of readParts(content, shape)) parsed.push(...parts)
  return parsed
}

const read = (text: string) => partsOf(Readable.from([Buffer.from(text)]))

/** As much of it as anybody asks for. */
async function* endless(piece: string, most = 200) {
  for (let count = 0; count < most; count += 1) yield Buffer.from(piece)
  throw new Error('It was read to its end.')
}

describe('a JSON object read in parts', () => {
  test('is the same as read at once, wherever it is cut', async () => {
    const seed = Date.now()
    const random = seededRandom(seed)
    const texts = ['', 'plain', 'Ñandú “ship” 🚢', '\\ " \n \t \u0001', 'x'.repeat(3_000), '漢字'.repeat(500)]
    const scalars = [null, true, false, 0, -1.5e-7, 1e21, 42]
    const anything = () => [...texts, ...scalars][Math.floor(random() * (texts.length + scalars.length))]
    for (let round = 0; round < 50; round += 1) {
      const records = Array.from({ length: Math.floor(random() * 20) }, () => ({
        a: anything(),
        b: [anything()],
        c: { d: anything() },
      }))
      const whole = { format: anything(), records, counts: { all: anything() } }
      const bytes = Buffer.from(JSON.stringify(whole, null, random() < 0.5 ? 2 : 0))
      const chunks: Buffer[] = []
      for (let at = 0; at < bytes.length; ) {
        const length = 1 + Math.floor(random() * 200)
        chunks.push(bytes.subarray(at, at + length))
        at += length
      }
      const parsed = await partsOf(Readable.from(chunks))
      expect(parsed, `seed ${seed}`).toEqual([
        { key: 'format', value: whole.format },
        { begins: 'records' },
        ...records.map((record, index) => ({ list: 'records', index, record })),
        { key: 'counts', value: whole.counts },
      ])
    }
  })

  test.each([
    ['no object', '[]', { reason: 'not_an_object' }],
    ['a bare value', '"records"', { reason: 'not_an_object' }],
    ['nothing', '', { reason: 'cut_off' }],
    ['half an object', '{"records":[{}', { reason: 'cut_off' }],
    ['two objects', '{"records":[]}{}', { reason: 'not_json' }],
    ['something behind its end', '{"records":[]} x', { reason: 'not_json' }],
    ['a comma too many', '{"records":[{},]}', { reason: 'not_json' }],
    ['a list that is none', '{"records":{"a":1}}', { reason: 'not_a_list', key: 'records' }],
    ['an unknown key', '{"accounts":[]}', { reason: 'unknown_key', key: 'accounts' }],
    ['a list twice', '{"records":[],"records":[]}', { reason: 'key_twice', key: 'records' }],
    ['a prototype', '{"records":[{"__proto__":{"admin":true}}]}', { reason: 'unknown_key', key: '__proto__' }],
    ['more records than may be', '{"others":[1,2,3]}', { reason: 'too_many', list: 'others', most: 2 }],
  ])('is refused with %s', async (_, text, fault) => {
    await expect(read(text)).rejects.toMatchObject({ fault })
  })

  test.each([
    ['depth', '['],
    ['blanks', ' '.repeat(64 * 1024)],
  ])('without end in %s is refused long before it would fill the memory', async (_, piece) => {
    await expect(partsOf(endless(piece))).rejects.toThrow(/too_deep|not_an_object|part_too_long/)
  })

  test.each([
    ['a text', '{"format":"', 'x'.repeat(64 * 1024)],
    ['a number', '{"format":', '1'.repeat(64 * 1024)],
    ['a record', '{"records":[{"a":[', '{},'.repeat(20_000)],
    ['depth', '{"records":', '['.repeat(64)],
  ])('with %s without end is refused long before it would fill the memory', async (_, start, piece) => {
    async function* content() {
      yield Buffer.from(start)
      yield* endless(piece)
    }
    await expect(partsOf(content())).rejects.toThrow(/too_deep|part_too_long/)
  })

  test('of a newer version has told so before the first thing that is not understood', async () => {
    const parsed: JsonPart[] = []
    const reading = (async () => {
      for await (const parts of readParts(Readable.from([Buffer.from('{"format":"new","chapters":[]}')]), shape))
        parsed.push(...parts)
    })()
    await expect(reading).rejects.toMatchObject({ fault: { reason: 'unknown_key', key: 'chapters' } })
    expect(parsed).toEqual([{ key: 'format', value: 'new' }])
  })
})
