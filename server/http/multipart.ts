import type { FastifyRequest } from 'fastify'

/** One part of a form; without a file name it is a field. Content that is not read is skipped. */
export type Part = { name: string; filename: string | undefined; content: AsyncIterable<Buffer> }

/** The form is incomplete, malformed or too large. */
export class BrokenForm extends Error {
  constructor(
    readonly code: 'invalid_input' | 'body_too_large',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const maxHeaderBytes = 8 * 1024

export const isMultipart = ({ headers }: FastifyRequest) => /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')

type Limits = { parts: number; bytes: number }

/**
 * The parts of a form. Errors are thrown where parts are read: an 'error' event of a parser would end the process where it has
 * no listener.
 */
export async function* readParts({ raw, headers }: FastifyRequest, limits: Limits): AsyncGenerator<Part, void> {
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(headers['content-type'] ?? '')
  const delimiter = Buffer.from(`\r\n--${boundary?.[1] ?? boundary?.[2]}`, 'latin1')
  const chunks = raw.iterator({ destroyOnReturn: false })
  // The first delimiter may be at the start of the body, without a line break before it.
  let ahead = Buffer.from('\r\n')
  let bytes = 0
  let isInPart = true
  let reading: Promise<void> | undefined

  /** One read at a time: content that is no longer read may still be waiting for one. */
  function readMore() {
    reading ??= readChunk().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function readChunk() {
    const { value, done } = await chunks.next().catch((error: unknown) => {
      throw new BrokenForm('invalid_input', 'the connection ended', { cause: error })
    })
    if (done) throw new BrokenForm('invalid_input', 'the form ended early')
    bytes += value.length
    if (bytes > limits.bytes) {
      raw.destroy()
      throw new BrokenForm('body_too_large', 'the form has too many bytes')
    }
    ahead = Buffer.concat([ahead, value])
  }

  /** The content before the next delimiter, in pieces; undefined at its end. */
  async function nextPiece() {
    while (isInPart) {
      const end = ahead.indexOf(delimiter)
      // The last bytes may be the start of a delimiter.
      const length = end < 0 ? Math.max(0, ahead.length - delimiter.length + 1) : end
      const piece = ahead.subarray(0, length)
      ahead = ahead.subarray(end < 0 ? length : end + delimiter.length)
      isInPart = end < 0
      if (length > 0) return piece
      if (isInPart) await readMore()
    }
    return undefined
  }

  async function* content() {
    for (let piece = await nextPiece(); piece; piece = await nextPiece()) yield piece
  }

  /** The header lines of the next part; undefined after the last part. */
  async function nextHeaders() {
    while (ahead.length < 2) await readMore()
    if (ahead.toString('latin1', 0, 2) === '--') return undefined
    let end = ahead.indexOf('\r\n\r\n')
    while (end < 0 && ahead.length <= maxHeaderBytes) {
      await readMore()
      end = ahead.indexOf('\r\n\r\n')
    }
    if (end < 0 || end > maxHeaderBytes) throw new BrokenForm('invalid_input', 'the headers of a part are too long')
    const lines = ahead.toString('utf8', 0, end)
    ahead = ahead.subarray(end + 4)
    return lines
  }

  try {
    if (!boundary) throw new BrokenForm('invalid_input', 'the form has no boundary')
    for (let count = 0; ; count += 1) {
      while (isInPart) await nextPiece()
      const lines = await nextHeaders()
      if (lines === undefined) return
      if (count === limits.parts) throw new BrokenForm('body_too_large', 'the form has too many parts')
      isInPart = true
      yield { ...disposition(lines), content: content() }
    }
  } finally {
    await chunks.return?.()
    // Browsers read the answer only after the whole form has been sent.
    raw.resume()
  }
}

function disposition(lines: string) {
  const value = /^content-disposition: *form-data *(;.*)$/im.exec(lines)?.[1] ?? ''
  const parameters = [...value.matchAll(/; *(\w+)=(?:"([^"]*)"|([^\s;"]+))/g)]
  const values = new Map(parameters.map(([, name = '', quoted, plain = '']) => [name.toLowerCase(), quoted ?? plain]))
  const name = values.get('name')
  if (name === undefined) throw new BrokenForm('invalid_input', 'a part has no name')
  // Some browsers send the folder too.
  return { name, filename: values.get('filename')?.split(/[\\/]/).at(-1) }
}
