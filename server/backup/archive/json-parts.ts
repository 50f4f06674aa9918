import { setImmediate as nextTurn } from 'node:timers/promises'
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'
import { shownName } from '#contract/value-fault.ts'

/** The beginning of one of the lists, a record of it, or one of the other values of the object. */
export type JsonPart = { begins: string } | { list: string; index: number; record: unknown } | { key: string; value: unknown }

type Shape = {
  /** The keys that hold lists, and how many records each may have at most. */
  lists: Readonly<Record<string, number>>
  values: readonly string[]
}

type Fault =
  | { reason: 'not_json' | 'not_an_object' | 'cut_off' | 'too_deep' | 'part_too_long' }
  | { reason: 'unknown_key' | 'key_twice' | 'not_a_list'; key: string }
  | { reason: 'too_many'; list: string; most: number }

export class UnreadableJson extends Error {
  constructor(
    readonly fault: Fault,
    options?: ErrorOptions,
  ) {
    super(fault.reason, options)
  }
}

/** The object, a list in it, a record, its photos, one of them, its translations, and one of those. */
const mostDepth = 7
/** No record of ours is as large as this, whatever its texts are made of: a message may have a hundred long replies. */
const mostBytesOfPart = 8 * 1024 * 1024
/** Nor made of so many pieces, each of which takes more memory than it takes bytes. */
const mostTokensOfPart = 20_000
const pieceBytes = 64 * 1024
/** JavaScript gives these a meaning. */
const neverKeys = new Set<unknown>(['__proto__', 'constructor', 'prototype'])

/**
 * Reads a JSON object of any size in parts. What would take memory without end (depth, length, number) is refused while it is
 * being read; other requests are served in between.
 */
export async function* readParts(content: AsyncIterable<Uint8Array>, shape: Shape): AsyncGenerator<JsonPart[]> {
  const reader = openReader(shape)
  for await (const chunk of content) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      const { parts, fault } = reader.read(chunk.subarray(start, start + pieceBytes))
      // First what comes before the fault: it may say that the rest is of a newer version.
      if (parts.length > 0) yield parts
      if (fault) throw fault
      await nextTurn()
    }
  }
  reader.end()
}

function openReader({ lists, values }: Shape) {
  const tokenizer = new Tokenizer()
  const parser = new TokenParser({
    paths: [...Object.keys(lists).map((list) => `$.${list}.*`), ...values.map((key) => `$.${key}`)],
    keepStack: false,
  })
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  let parts: JsonPart[] = []
  let bytes = 0
  let partEnded = 0
  let tokens = 0
  let depth = 0
  let top = ''
  let text: unknown
  let listExpected = false

  parser.onValue = ({ value, stack }) => {
    partEnded = bytes
    tokens = 0
    if (stack.length === 1) return void parts.push({ key: top, value })
    const index = counts.get(top) ?? 0
    if (index === lists[top]) throw new UnreadableJson({ reason: 'too_many', list: top, most: index })
    counts.set(top, index + 1)
    parts.push({ list: top, index, record: value })
  }

  function enterKey() {
    if (neverKeys.has(text)) throw new UnreadableJson({ reason: 'unknown_key', key: String(text) })
    if (depth > 1) return
    top = String(text)
    if (!(top in lists) && !values.includes(top)) throw new UnreadableJson({ reason: 'unknown_key', key: shownName(top) })
    if (seen.has(top)) throw new UnreadableJson({ reason: 'key_twice', key: top })
    seen.add(top)
    listExpected = top in lists
  }

  tokenizer.onToken = (parsed) => {
    const { token, value } = parsed
    if (depth === 0 && token !== TokenType.LEFT_BRACE) throw new UnreadableJson({ reason: 'not_an_object' })
    if (token === TokenType.COLON) enterKey()
    else if (listExpected) {
      if (token !== TokenType.LEFT_BRACKET) throw new UnreadableJson({ reason: 'not_a_list', key: top })
      listExpected = false
      parts.push({ begins: top })
    }
    if (token === TokenType.STRING) text = value
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1
    if (depth > mostDepth) throw new UnreadableJson({ reason: 'too_deep' })
    tokens += 1
    if (tokens > mostTokensOfPart) throw new UnreadableJson({ reason: 'part_too_long' })
    parser.write(parsed)
  }

  const faultIn = (work: () => void): UnreadableJson | undefined => {
    try {
      work()
      return undefined
    } catch (error) {
      return error instanceof UnreadableJson ? error : new UnreadableJson({ reason: 'not_json' }, { cause: error })
    }
  }
  return {
    read(piece: Uint8Array) {
      parts = []
      const fault = faultIn(() => {
        tokenizer.write(piece)
        bytes += piece.length
        if (bytes - partEnded > mostBytesOfPart) throw new UnreadableJson({ reason: 'part_too_long' })
      })
      return { parts, fault }
    },
    end() {
      const fault = faultIn(() => tokenizer.end())
      if (fault) throw fault
      if (!parser.isEnded) throw new UnreadableJson({ reason: 'cut_off' })
    },
  }
}
