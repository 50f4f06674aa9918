import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Answers a list of any length: only a slice of it is in memory at a time. */
export function sendList(reply: FastifyReply, slices: AsyncIterable<readonly unknown[]>) {
  return reply.type('application/json; charset=utf-8').send(Readable.from(listAsText(slices), { objectMode: false }))
}

async function* listAsText(slices: AsyncIterable<readonly unknown[]>) {
  let before = '['
  for await (const records of slices) {
    yield before + records.map((record) => JSON.stringify(record)).join(',')
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
