import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { readParts } from './multipart.ts'

function aForm() {
  const raw = new PassThrough()
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  return { raw, parts: readParts({ raw, headers } as unknown as FastifyRequest, { parts: 10, bytes: 10_000 }) }
}

const part = (name: string, content: string) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${content}`

test('what follows a part is read while its content, given up, still waits for the next bytes', async () => {
  const { raw, parts } = aForm()
  raw.write(part('photos', 'a'.repeat(1_000)))
  const photo = (await parts.next()).value
  const content = photo?.content[Symbol.asyncIterator]()
  await content?.next()
  const abandoned = content?.next()
  const next = parts.next()
  raw.end(`${'b'.repeat(1_000)}\r\n${part('message', 'Hello')}\r\n--x--`)
  const message = (await next).value
  expect(message?.name).toBe('message')
  expect(String((await message?.content[Symbol.asyncIterator]().next())?.value)).toBe('Hello')
  await abandoned
  expect((await parts.next()).done).toBe(true)
})
