import { setImmediate as nextTurn } from 'node:timers/promises'
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json'

/** The beginning of one of the lists, a record of it, or one of the other values of the object. */
export type JsonPart = { begins: string } | { list: string; index: number; record: unknown } | { key: string; value: unknown }

type Shape = {
  /** The keys that hold lists, and how many records each may have at most. */
  lists: Readonly<Record<string, number>>
  values: readonly string[]
}

/** The message is the reason, as a sentence. */
export class UnreadableJson extends Error {}

/** The object, a list in it, a record, and two more: what is wrong there can then be told by name. */
const mostDepth = 5
/** No record of ours is as large as this, whatever its texts are made of. */
const mostBytesOfPart = 1024 * 1024
const pieceBytes = 64 * 1024
/** Programs take these for something else than data. */
const neverKeys = new Set<unknown>(['__proto__', 'constructor', 'prototype'])

/**
 * Reads a JSON object of any size in parts, as they come. What would take memory without end (depth, length, number) is refused
 * while it is being read, and others have their turn in between.
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
  let depth = 0
  let top = ''
  let text: unknown
  let listExpected = false

  parser.onValue = ({ value, stack }) => {
    partEnded = bytes
    if (stack.length === 1) return void parts.push({ key: top, value })
    const index = counts.get(top) ?? 0
    if (index === lists[top]) throw new UnreadableJson(`There are more ${top} in it than ${index.toLocaleString('en')}.`)
    counts.set(top, index + 1)
    parts.push({ list: top, index, record: value })
  }

  function enterKey() {
    if (neverKeys.has(text)) throw new UnreadableJson(`Not a field of it: ${text}.`)
    if (depth > 1) return
    top = String(text)
    if (!(top in lists) && !values.includes(top)) throw new UnreadableJson(`Not a field of it: ${top.slice(0, 100)}.`)
    if (seen.has(top)) throw new UnreadableJson(`It has ${top} twice.`)
    seen.add(top)
    listExpected = top in lists
  }

  tokenizer.onToken = (found) => {
    const { token, value } = found
    if (depth === 0 && token !== TokenType.LEFT_BRACE) throw new UnreadableJson('It is not an object.')
    if (token === TokenType.COLON) enterKey()
    else if (listExpected) {
      if (token !== TokenType.LEFT_BRACKET) throw new UnreadableJson(`${top}: This must be a list of ${top}.`)
      listExpected = false
      parts.push({ begins: top })
    }
    if (token === TokenType.STRING) text = value
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1
    if (depth > mostDepth) throw new UnreadableJson('It is nested deeper than any record.')
    parser.write(found)
  }

  const faultIn = (work: () => void): UnreadableJson | undefined => {
    try {
      work()
      return undefined
    } catch (error) {
      return error instanceof UnreadableJson ? error : new UnreadableJson('It cannot be read as JSON.', { cause: error })
    }
  }
  return {
    read(piece: Uint8Array) {
      parts = []
      const fault = faultIn(() => {
        tokenizer.write(piece)
        bytes += piece.length
        if (bytes - partEnded > mostBytesOfPart) throw new UnreadableJson('Something in it is longer than any record.')
      })
      return { parts, fault }
    },
    end() {
      const fault = faultIn(() => tokenizer.end())
      if (fault) throw fault
      if (!parser.isEnded) throw new UnreadableJson('It does not end where it should.')
    },
  }
}
