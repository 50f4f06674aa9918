import { expect, test } from 'vitest'
import { sendContact } from '#contract/contacts.ts'
import { post } from '../calls.ts'
import { aContact } from '../factories.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { startSite } from './site.ts'

/** Breaks the site from inside: a stream without a listener fails, as the body of a request arrives or on a signal. */
const faults = `
import { Server } from 'node:http'
import { Readable } from 'node:stream'
const fail = () => process.nextTick(() => new Readable().emit('error', new Error('a fault')))
const emit = Server.prototype.emit
Server.prototype.emit = function (event, request, ...rest) {
  if (event === 'request' && request.headers['x-fault'] === 'data') request.prependListener('data', fail)
  if (event === 'request' && request.headers['x-fault'] === 'end') request.on('end', () => process.nextTick(fail))
  return emit.call(this, event, request, ...rest)
}
process.on('SIGUSR2', fail)`

test('an exception from a stream of a request ends its connection, and one from anywhere else the process', async () => {
  const site = await startSite({
    DATA_DIR: await temporaryFolder(),
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(faults)}`,
  })
  const send = (name: string, headers = {}) => post(site.url, sendContact.path, aContact({ name }), headers)
  for (const fault of ['data', 'end']) {
    await send('Ana', { 'x-fault': fault }).catch(() => undefined)
    expect((await send(`Zoë ${fault}`)).status).toBe(200)
  }
  const logged = () => site.output.stdout.split('\n').filter((line) => line.includes('"a fault"'))
  expect(logged().map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, method: 'POST', path: sendContact.path, err: { message: 'a fault' } },
    { level: 50, method: 'POST', path: sendContact.path, err: { message: 'a fault' } },
  ])
  site.signal('SIGUSR2')
  expect((await site.ended).code).toBe(1)
  expect(JSON.parse(logged()[2] ?? '')).toMatchObject({ level: 60, err: { message: 'a fault' } })
})
