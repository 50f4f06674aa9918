import { describe, expect, test } from 'vitest'
import { checkHealth } from '#contract/health.ts'
import { listProjects } from '#contract/projects.ts'
import { openTestApp } from '#tests/test-app.ts'
import { isNear, isOneForAll, nextRun, type Run, type Visit } from './proxy-signs.ts'

/** So many visits by so many browsers, from one address. */
function runOf({ address = '172.17.0.1', forwarded = false, visits = 300, agents = 6 }) {
  let run: Run | undefined
  for (let each = 0; each < visits; each += 1) run = nextRun(run, { address, forwarded, agent: `browser ${each % agents}` })
  if (!run) throw new Error('There were no visits.')
  return run
}

describe('all visitors seem to be one', () => {
  test('when many browsers share the address of a network of our own', () => {
    expect(isOneForAll(runOf({}))).toBe(true)
    expect(isOneForAll(runOf({ address: 'fd00::2' }))).toBe(true)
    expect(isOneForAll(runOf({ address: '::ffff:10.0.0.4' }))).toBe(true)
  })

  test('when many browsers share the address of this machine, and a proxy says it is there', () => {
    expect(isOneForAll(runOf({ address: '127.0.0.1', forwarded: true }))).toBe(true)
  })

  test.each([
    ['a maker who tries the demo in many browsers', { address: '127.0.0.1' }],
    ['a maker alone in a container', { agents: 2 }],
    ['few visits', { visits: 150 }],
    ['an office with one address', { address: '203.0.113.7' }],
    ['what is no address', { address: 'unix:' }],
  ])('and not from %s', (_, visits) => {
    expect(isOneForAll(runOf(visits))).toBe(false)
  })

  test('until another one comes', () => {
    const other: Visit = { address: '203.0.113.7', agent: 'browser', forwarded: false }
    expect(isOneForAll(nextRun(runOf({}), other))).toBe(false)
  })

  test('and what is remembered of them stays small', () => {
    const { agents, requests } = runOf({ visits: 5_000, agents: 5_000 })
    expect([agents.size, requests]).toEqual([5, 200])
  })
})

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['192.168.1.4', true],
  ['fe80::1%eth0', true],
  ['203.0.113.7', false],
  ['2001:db8::1', false],
  ['', false],
])('%j is near: %s', (address, near) => {
  expect(isNear(address)).toBe(near)
})

describe('the panel', () => {
  const open = async (trustProxy: number) => {
    const site = await openTestApp('sqlite', { config: { trustProxy } })
    const maker = await site.signedIn()
    const visit = (headers: Record<string, string>, from = '127.0.0.1') => site.call(listProjects, { headers, from })
    const warnings = async () =>
      (await site.findings({ as: maker, from: '172.17.0.1' })).filter((finding) => finding.startsWith('proxy_'))
    return { ...site, visit, warnings }
  }

  test('has nothing to say of proxies to begin with', async () => {
    const { visit, warnings } = await open(0)
    await visit({})
    expect(await warnings()).toEqual(['proxy_none'])
  })

  const headers = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'x-real-ip']

  test('says that a proxy is not trusted, whichever of its headers it sends, unless it is', async () => {
    for (const header of headers) {
      const without = await open(0)
      await without.visit({ [header]: 'something' })
      expect(await without.warnings(), header).toEqual(['proxy_not_trusted'])
    }
    const trusting = await open(1)
    for (const header of headers) {
      await trusting.visit({ [header]: 'something' })
      expect(await trusting.warnings(), header).toEqual(['proxy_trusted'])
    }
  })

  test('does not take a visitor who writes such a header for a proxy', async () => {
    const { visit, warnings } = await open(0)
    await visit({ 'x-forwarded-for': '198.51.100.1' }, '203.0.113.7')
    expect(await warnings()).toEqual(['proxy_none'])
  })

  test('says that all visitors come from one address, whatever asks for the health meanwhile', async () => {
    const { call, visit, warnings } = await open(1)
    for (let each = 0; each < 200; each += 1) await visit({ 'user-agent': `browser ${each % 7}` }, '172.17.0.1')
    await call(checkHealth, { from: '127.0.0.1' })
    expect(await warnings()).toEqual(['proxy_one_visitor'])
  })
})
