import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { signIn } from '#contract/accounts.ts'
import { restoreComplete } from '#contract/backups.ts'
import { sendFromPage } from '#contract/pages.ts'
import { post } from '../calls.ts'
import { newSeed, rounds, seededRandom } from '../random.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { ownerAccount, startSite } from './site.ts'

const named = (about: string, content = '') => `--x\r\nContent-Disposition: form-data; ${about}\r\n\r\n${content}\r\n`

/** The form that ended the process: parts without headers beyond the most that are taken, then nothing. */
const beyondTheLimit = `${named('name="name"', 'a').repeat(19)}--x\r\n${'\r\n--x\r\n'.repeat(60)}`

const pieces = [
  named('name="name"', 'Ana'),
  named('name="email"', 'ana@example.com'),
  named('name="message"', 'A ship'),
  named('name="message"', 'ñ'.repeat(40_000)),
  named('name="photos"; filename="a.jpg"', '\xff\xd8\xff'),
  named('name="photos"; filename="a.jpg"', 'x'.repeat(100_000)),
  named('name="backup"; filename="a.zip"', 'PK\x03\x04'),
  named('name="backup"; filename="a.zip"', '--x-\r\n--xy\r\n-\r\n--'),
  named('name="__proto__"', '1'),
  named('name="toString"; filename="toString"', '1'),
  named('filename="a.jpg"', '1'),
  named('name="photos"; filename=""'),
  `--x\r\nContent-Type: multipart/mixed; boundary=y\r\nContent-Disposition: form-data; name="photos"\r\n\r\n--y\r\n\r\n--y--\r\n`,
  `--x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
  '--x\r\n\r\n',
  '--x\r\n\r\n\r\n',
  '--x\r\n\r\n--x--',
  '--x',
  '--x--',
  '--x--\r\n',
  '\r\n--x\r\n'.repeat(100),
  '\r\n',
  '\r',
  '',
]

type BrokenForm = { body: Buffer; contentType: string; delivery: 'whole' | 'pieces' | 'chunked' | 'aborted' }

function brokenForms(seed: number) {
  const random = seededRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const oneOf = <T>(things: readonly T[]) => things[below(things.length)] as T
  return (): BrokenForm => {
    let text = Array.from({ length: below(8) }, () => oneOf(pieces).repeat(random() < 0.1 ? 70 : 1)).join('')
    if (random() < 0.5) text += '--x--\r\n'
    const at = below(text.length + 1)
    const change = random()
    if (change < 0.3) text = text.slice(0, at)
    else if (change < 0.4) text = text.slice(0, at) + text.slice(at + below(30))
    else if (change < 0.5) text = text.slice(0, at) + oneOf(['\0', '\r', '\n', '--', '--x', '"', ';', '\xff']) + text.slice(at)
    else if (change < 0.6) text = text.slice(0, at) + text.slice(below(at + 1))
    const type =
      random() < 0.8
        ? '; boundary=x'
        : oneOf(['', '; boundary=', '; boundary="x"', '; boundary=y', `; boundary=${'x'.repeat(300)}`])
    return {
      body: Buffer.from(text, 'latin1'),
      contentType: `multipart/form-data${type}`,
      delivery: oneOf(['whole', 'whole', 'pieces', 'chunked', 'aborted']),
    }
  }
}

type Target = { url: string; path: string; cookie: string }

/** The status that was answered; nothing for a connection that is left before its form is whole. */
function send({ url, path: address, cookie }: Target, { body, contentType, delivery }: BrokenForm) {
  return new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    let received = ''
    const socket = connect(Number(port), hostname)
    const length = delivery === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
    socket.write(
      `POST ${address} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nCookie: ${cookie}\r\nContent-Type: ${contentType}\r\n${length}\r\n\r\n`,
    )
    const half = Math.floor(body.length / 2)
    const halves = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
    if (delivery === 'whole') socket.write(body)
    else if (delivery === 'aborted') socket.write(body.subarray(0, half), () => socket.destroy())
    else {
      for (const part of halves)
        socket.write(
          delivery === 'pieces'
            ? part
            : Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
        )
      if (delivery === 'chunked') socket.write('0\r\n\r\n')
    }
    socket.setEncoding('latin1').on('data', (piece) => {
      received += piece
      // The server would cut off what it has not read yet, and with it perhaps its answer.
      if (received.includes('\r\n')) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1])
      if (delivery === 'aborted') resolve(undefined)
      else if (status) resolve(status)
      else
        reject(
          new Error(`Not answered: ${JSON.stringify(body.toString('latin1').slice(0, 500))} as ${contentType}, ${delivery}`),
        )
    })
  })
}

test('no broken form ends the process, stays unanswered, or leaves a file behind', async () => {
  const dataDir = await temporaryFolder()
  const site = await startSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
  const signedIn = await post(site.url, signIn.path, ownerAccount)
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const listFiles = async () => (await readdir(dataDir, { recursive: true })).filter((name) => name.includes('incoming')).sort()
  const before = await listFiles()
  const seed = newSeed()
  const next = brokenForms(seed)
  const statuses = new Set<number | undefined>()
  for (const { path: address } of [sendFromPage, restoreComplete]) {
    const target = { url: site.url, path: address, cookie }
    for (const text of [beyondTheLimit, '--x\r\n\r\n--x--', '']) {
      statuses.add(
        await send(target, { body: Buffer.from(text), contentType: 'multipart/form-data; boundary=x', delivery: 'whole' }),
      )
    }
    for (let round = 0; round < rounds(5); round += 1) {
      const forms = Array.from({ length: 10 }, next)
      for (const status of await Promise.all(forms.map((form) => send(target, form)))) statuses.add(status)
    }
  }
  expect(
    [...statuses].filter((status) => status && status >= 500),
    `TEST_SEED=${seed}`,
  ).toEqual([])
  await expect.poll(listFiles).toEqual(before)
  expect((await fetch(new URL('/healthz', site.url))).status).toBe(200)
  expect(
    site.output.stdout.split('\n').filter((line) => /"level":[56]0/.test(line)),
    `TEST_SEED=${seed}`,
  ).toEqual([])
})
