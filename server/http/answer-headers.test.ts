import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdir, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { variantAddress } from '#contract/first-visit.ts'
import { createProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { storeImage } from '#server/features/images/image-store.ts'
import { builtAssets } from '#server/features/pages/built-assets.ts'
import { askFor, br, checkHeaders } from '#tests/answer-headers.ts'
import { aProject } from '#tests/factories.ts'
import { aPhoto } from '#tests/photos.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { openTestApp } from '#tests/test-app.ts'

async function openSite() {
  const folder = await temporaryFolder()
  await mkdir(path.join(folder, 'assets'))
  await writeFile(path.join(folder, 'assets/start-C7x_9.js'), 'let a = 1')
  await writeFile(path.join(folder, 'assets/start-C7x_9.js.br'), brotliCompressSync('let a = 1'))
  const site = await openTestApp('sqlite', { assets: builtAssets(folder) })
  const hash = await storeImage(site, async () => aPhoto())
  site.variants.prepare(hash)
  await site.variants.settled()
  // What the maker does is seen at once, and with it the photo, which else would be noticed in the middle of a test.
  await site.ask(createProject, { as: await site.signedIn(), body: aProject() })
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = site.app.server.address() as AddressInfo

  const url = `http://127.0.0.1:${port}`
  return { url, ask: (address: string, sent?: Record<string, string>) => askFor(url, address, sent), photo: `/objects/${hash}` }
}

/** The addresses that Fastify has been asked for, as Fastify says itself. */
function watchTheWholeWay() {
  const addresses: string[] = []
  const note = (message: unknown) => void addresses.push((message as { request: FastifyRequest }).request.url)
  subscribe('tracing:fastify.request.handler:start', note)
  onTestFinished(() => void unsubscribe('tracing:fastify.request.handler:start', note))
  return addresses
}

test('every kind of answer carries its headers and no others, made for the caller or lying ready', async () => {
  const { url, photo } = await openSite()
  await checkHeaders(url, { script: '/assets/start-C7x_9.js', photo })
})

test('pages, lists, small photos and scripts are answered from memory from the second time on, with the same headers however they are spelt', async () => {
  const { ask, photo } = await openSite()
  const wholeWay = watchTheWholeWay()
  const ready = [
    '/',
    listProjects.path,
    '/robots.txt',
    '/sitemap.xml',
    '/assets/start-C7x_9.js',
    variantAddress(photo, 480, 'avif'),
  ]
  for (const address of ready) {
    const first = await ask(address, br)
    const { 'x-request-id': _id, ...headers } = first.headers
    // The router reads this as the same address.
    const spelt = address.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    for (const other of [spelt, spelt, address]) expect((await ask(other, br)).headers).toMatchObject(headers)
  }
  expect(wholeWay.filter((address) => ready.includes(address))).toEqual(ready)
  // Longer than any that the site writes: not worth its memory.
  const long = `/robots.txt?${'x'.repeat(300)}`
  for (const _ of [1, 2, 3]) await ask(long, br)
  expect(wholeWay.filter((address) => address === long)).toHaveLength(3)
})
